import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'

/** Scores tools against words. A ranker follows a catalogue: it is told of every tool that changes. */
export interface Ranker {
  readonly name: string
  /** Adds a tool, or replaces the one of that name in its place. Touches nothing else. */
  set(tool: Tool): void
  /** A name that is not there is ignored. */
  delete(name: string): void
  /**
   * Gets ready for a query that will be ranked soon, for a ranker that has to ask somebody else
   * first. Must not reject: `rank` then does without.
   */
  prepare?(text: string): Promise<void>
  /** The best tools first. Tools with no score are never returned. */
  rank(query: WordsQuery, options: RankOptions): Ranking
  /**
   * Gives every score, in no order, to a ranker that mixes them with its own. Slots are those of
   * `createToolSlots`. A ranker that changes the scores of another must not pass this on.
   */
  scores?(query: WordsQuery, give: (slot: number, score: number) => void): Omit<Ranking, 'hits'>
  /**
   * What the score of one tool is made of: the weights add up to the score that `rank` gives with
   * the same `accepts`. Empty for no score.
   */
  explain(
    query: WordsQuery,
    name: string,
    options?: Pick<RankOptions, 'accepts'>,
  ): readonly ScorePart[]
}

export interface RankOptions {
  readonly limit: number
  /** Which of two tools with one score comes first. */
  readonly ties: TieBreak
  /** A tool this refuses is as if it were not there. Must not throw. */
  readonly accepts?: (tool: Tool) => boolean
}

/** By name, or by order of arrival in the catalogue. */
export type TieBreak = 'name' | 'catalogue'

export interface Ranking {
  readonly hits: readonly ScoredTool[]
  /** The score of a tool that had every word of the query in its name, where a ranker can tell. */
  readonly ideal?: number
  /** A best hit below this is a coincidence, where a ranker can tell. */
  readonly doubtBelow?: number
  /** What the query is nearer to than to any tool, where that is a reason for the doubt. */
  readonly nearerTo?: string
}

export interface ScoredTool {
  readonly tool: Tool
  readonly score: number
}

/** One reason for a score: this term matched this field in this way, for this much. */
export interface ScorePart {
  readonly term: string
  /** What stood in the tool, where it is not the term itself: a synonym, or what was misspelt. */
  readonly found?: string
  readonly field: Field
  readonly match: Match
  readonly weight: number
}

export type Field = 'name' | 'source' | 'hint' | 'description' | 'parameters' | 'meaning'

/**
 * - `exact`: the query is the tool's name, or the term a part of it
 * - `part`, `contains`, `similar`: the term is within a word, within the text, or spelt alike
 * - `word`: the same word, whatever its ending
 * - `synonym`, `prefix`, `typo`: a word that may be meant by one the tool does not have
 * - `meaning`: words of query and tool that are near each other in meaning
 * - `coverage`: more of the tool's name was asked for than its words alone tell
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
  | 'meaning'
