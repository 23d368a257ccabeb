import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'

/** Scores tools against words. A ranker follows a catalogue: it is told of every tool that changes. */
export interface Ranker {
  readonly name: string
  /** Adds a tool, or replaces the one of that name in its place. Touches nothing else. */
  set(tool: Tool): void
  /** A name that is not there is ignored. */
  delete(name: string): void
  /** The best tools first. Tools with no score are never returned. */
  rank(query: WordsQuery, options: RankOptions): Ranking
  /** What the score of one tool is made of: the weights add up to it. Empty for no score. */
  explain(query: WordsQuery, name: string): readonly ScorePart[]
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
  /**
   * What one average word of the query is worth on a tool that has it in its name, where a ranker
   * can tell. A best hit below it has hardly a word of the query and is a coincidence.
   */
  readonly wordWorth?: number
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

export type Field = 'name' | 'source' | 'hint' | 'description' | 'parameters'

/**
 * - `exact`: the query is the tool's name, or the term a part of it
 * - `part`, `contains`, `similar`: the term is within a word, within the text, or spelt alike
 * - `word`: the same word, whatever its ending
 * - `synonym`, `prefix`, `typo`: a word that may be meant by one the tool does not have
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
