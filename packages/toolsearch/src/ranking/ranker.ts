import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { VectorSum } from '../semantics/centring.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { Evidence, Judgement } from './confidence.ts'

/** Scores tools against a query. Every change of the catalogue is passed to `set` or `delete`. */
export interface Ranker {
  readonly name: string
  /** Adds a tool, or replaces the tool of that name, which keeps its place in the order of arrival. */
  set(tool: Tool): void
  /** Ignores unknown names. */
  delete(name: string): void
  /**
   * Called before a session ranks a query, for rankers that have to fetch something first, such as
   * the vector of the query. Must not reject: if it fails, `rank` has to do without.
   */
  prepare?(text: string): Promise<void>
  /** Returns the best tools first. A tool without a score is never returned. */
  rank(query: WordsQuery, options: RankOptions): Ranking
  /**
   * Passes every score to `visit`, in any order, for a ranker that combines them with its own.
   * Slots are those of `createToolSlots`. A ranker that wraps another one and changes its scores
   * must not pass this method on.
   */
  scoreAll?(
    query: WordsQuery,
    visit: (slot: number, score: number) => void,
    options?: Pick<RankOptions, 'otherLayer' | 'isVisible'>,
  ): Omit<Ranking, 'hits' | 'total'>
  /**
   * For ranking two sets of tools as one. Absent if the score of a tool does not depend on how many
   * other tools contain a term.
   */
  readonly terms?: TermStatistics
  /**
   * Returns the best scores, if all scores are relative to them, and undefined if those of this query
   * are not. Absent if scores are never relative.
   */
  peaks?(
    query: WordsQuery,
    options: Pick<RankOptions, 'accepts' | 'isVisible' | 'otherLayer'>,
  ): Peaks | undefined
  /**
   * The query that this ranker ranks in place of the given one for most tools, such as its translation.
   * An engine finds candidates by the words of both.
   */
  translate?(query: WordsQuery): WordsQuery | undefined
  /** For each source of vectors that are compared relative to their mean: their sum. */
  vectorSums?(): readonly (VectorSum | undefined)[]
  /** Vectors that are available at once, for comparing queries with each other. */
  readonly vectors?: TextVectors
}

/** How often terms occur in the tools of a ranker. */
export interface TermStatistics {
  readonly vocabulary: Vocabulary
  /** The number of tools. */
  tools(): number
  /** The length of all tools together. */
  length(): number
  /** The number of tools that contain a term. */
  frequency(term: string): number
  /** The same for those tools alone. Absent if the ranker knows no such statistics. */
  among?(isVisible: (tool: Tool) => boolean): TermStatistics
}

/** The best scores of accepted tools, before they are combined. */
export interface Peaks {
  /** The best score for keywords. */
  readonly words: number
  /** For each source of vectors, the similarity of the most similar tool to the query. */
  readonly similarities: readonly (number | undefined)[]
  /** The similarity of the most similar tool to a topic. */
  coverage(topic: Float32Array): number
}

/**
 * What a ranker has to know about the tools of another ranker to score its own as if all of them
 * were in one catalogue.
 */
export interface OtherLayer {
  readonly terms?: TermStatistics | undefined
  readonly peaks?: Peaks | undefined
  readonly vectorSums?: readonly (VectorSum | undefined)[] | undefined
}

export interface RankOptions {
  readonly limit: number
  /** The order of tools with the same score. */
  readonly ties: TieBreak
  /** A tool that this rejects is ranked as if it did not exist. Must not throw. */
  readonly accepts?: (tool: Tool) => boolean
  /**
   * The tools that the caller may know; `accepts` rejects all others. Everything that depends on the
   * whole catalogue, such as which words are known and how much they count, has to depend on these
   * tools alone, so that the ranking reveals nothing about others. Must be the same function until
   * other tools are visible. @default every tool
   */
  readonly isVisible?: (tool: Tool) => boolean
  /**
   * Asks for `total`, `rejected` and `explain` in the ranking.
   * @default false
   */
  readonly explain?: boolean
  /** The `Ranking.confidence` from which on the search is sure of its hits. Only `learning` needs it. */
  readonly sure?: number
  /** Tools that another ranker of the same kind ranks, to be merged with the result of this one. */
  readonly otherLayer?: OtherLayer
}

/** By name, or by order of arrival in the catalogue. */
export type TieBreak = 'name' | 'catalogue'

/** The result of ranking the tools for one query. Only `hits` is required. */
export interface Ranking {
  readonly hits: readonly ScoredTool[]
  /** How many accepted tools have a score, regardless of the limit. */
  readonly total?: number
  /** The best tools that `accepts` rejects although the caller may know them. Only with `explain`. */
  readonly rejected?: readonly ScoredTool[]
  /**
   * Explains the score of one of the hits: the weights of the parts add up to it. Returns an empty
   * list for a tool without a score.
   *
   * The ranking owns everything `explain` needs, so ranking other queries does not affect it. It
   * reads the tools as they are, so call it before the next `set` or `delete`.
   */
  readonly explain?: (name: string) => readonly ScorePart[]
  /** The score of a tool with every word of the query in its name. */
  readonly idealScore?: number
  /**
   * The ranker's estimate, from 0 to 1, that a tool the query needs is among the first five hits. It
   * is calibrated: of a hundred rankings with 0.9, about ninety contain such a tool.
   */
  readonly confidence?: number
  /** The ranker's estimate, from 0 to 1, that there is a tool which serves the query. */
  readonly served?: number
  /**
   * If the best score is below this, the match is probably a coincidence. Searches use it if there is
   * no `confidence`.
   */
  readonly minConfidentScore?: number
  /** What `confidence` is computed from. */
  readonly evidence?: Evidence
  /** Judges the hits of this ranking after rules have changed them. Valid until the ranker
   * ranks another query. */
  readonly judge?: (hits: readonly ScoredTool[]) => Judgement
  /** Products that the query names but no tool mentions, as the query writes them. */
  readonly unknownProducts?: readonly string[]
  /** A topic that is closer to the query than any tool is, if that makes the best hit doubtful. */
  readonly closerTopic?: string
  /** The peaks of these tools and those of `otherLayer` together. Only with `otherLayer`. */
  readonly peaks?: Peaks
  /** The rules that changed the ranking. */
  readonly rules?: readonly RankingRule[]
}

/**
 * - `file`: the path of a file to write was left out of the query, and the need to write it added
 * - `needs`: the query was ranked for each of its needs
 * - `places`: further tools of one server, or tools that promote themselves, copy others or list words, came after others
 */
export type RankingRule =
  | { readonly rule: 'file'; readonly path: string; readonly need: string }
  | { readonly rule: 'needs'; readonly needs: readonly string[] }
  | { readonly rule: 'places' }

export interface ScoredTool {
  readonly tool: Tool
  readonly score: number
  /** Whether it is the best tool for one of several needs, which keeps its place with a low score too. */
  readonly isBestForNeed?: boolean
}

/** One reason for a score: this term matched this field in this way and added this weight. */
export interface ScorePart {
  readonly term: string
  /** The matching word of the tool, if it differs from the term: a synonym or the correct spelling. */
  readonly found?: string
  /** The word of the query, if the term is its translation: "Datei" for the term "file". */
  readonly translatedFrom?: string
  readonly field: Field
  readonly match: Match
  readonly weight: number
  /** The part of the query that the weight is for, if the query was divided into needs. */
  readonly need?: string
  /** How many similar requests used the tool. Only with the match `learned`. */
  readonly requests?: number
  /** When the latest of them did, in milliseconds since 1970. */
  readonly newest?: number
}

export type Field = 'name' | 'source' | 'hint' | 'description' | 'parameters' | 'semantics' | 'use'

/**
 * - `exact`: the query is the tool's name, or the term is a part of the name
 * - `part`, `contains`, `similar`: the term occurs within a word, occurs within the text, or has a
 *   similar spelling
 * - `word`: the same word, regardless of its ending
 * - `synonym`, `prefix`, `typo`: another word of the tool that the term may stand for
 * - `semantic`: words of the query and the tool with similar meanings
 * - `coverage`: a bonus for the share of the tool's name that the query contains
 * - `learned`: similar requests used the tool
 */
export type Match =
  | 'exact'
  | 'part'
  | 'contains'
  | 'similar'
  | 'word'
  | 'synonym'
  | 'prefix'
  | 'typo'
  | 'coverage'
  | 'semantic'
  | 'learned'
