import type { Tool, ToolSource } from '../catalogue/tool.ts'
import type { ToolInputs } from '../catalogue/tool-input.ts'

/**
 * A catalogue outside of the process, which finds candidates for a search. The ranking of the
 * library orders them. Methods reject with an `EngineError` while the engine can't be reached, and
 * work again as soon as it can.
 */
export interface CandidateEngine extends EngineReader {
  readonly name: string
  /**
   * Adds tools. A tool replaces the one of the same name. What can't be stored, such as `execute`,
   * is left out.
   * @throws InvalidToolError, EngineError
   */
  put(tools: ToolInputs): Promise<EngineChange>
  /** Ignores unknown names. @throws EngineError */
  remove(names: readonly string[]): Promise<EngineChange>
  /**
   * Makes the tools of a source equal to this list: adds, replaces and removes, all at once.
   * @throws InvalidToolError, DuplicateToolError if another source has a tool of that name
   * @throws EngineError
   */
  sync(source: ToolSource, tools: ToolInputs): Promise<EngineChange>
}

/** How many tools a change has added, replaced and removed. */
export interface EngineChange {
  readonly added: number
  readonly replaced: number
  readonly removed: number
}

/** What a search reads. Every method returns only tools in the scope, in no particular order. */
export interface EngineReader {
  get(names: readonly string[], scope: EngineScope): Promise<readonly Tool[]>
  /** The tools whose names without their server have one of these keys. See `nameKey`. */
  spelled(keys: readonly string[], scope: EngineScope): Promise<readonly Tool[]>
  /** The first tools by name whose names start with the prefix, and how many there are. */
  startingWith(prefix: string, limit: number, scope: EngineScope): Promise<EngineList>
  /** Tools whose names resemble this one. */
  similar(name: string, limit: number, scope: EngineScope): Promise<readonly Tool[]>
  /** Of the tools in the scope: the ranking needs it to weigh words. */
  terms(request: TermsRequest, scope: EngineScope): Promise<TermFacts>
  /** The tools that match a query best, most of them better than any other tool. */
  candidates(request: CandidatesRequest): Promise<readonly Tool[]>
  /** The number of tools in the scope. */
  count(scope: EngineScope): Promise<number>
}

/** Which tools a caller may see. A tool has to meet every restriction. */
export interface EngineScope {
  /** @default any name */
  readonly names?: readonly string[]
  /** @default any source */
  readonly sources?: readonly string[]
}

export interface EngineList {
  readonly tools: readonly Tool[]
  readonly count: number
}

export interface TermsRequest {
  /** Terms to count. */
  readonly terms: readonly string[]
  /** Beginnings of terms. */
  readonly prefixes: readonly string[]
  /** Words with typing errors. */
  readonly misspelled: readonly string[]
}

export interface TermFacts {
  /** The number of tools. */
  readonly tools: number
  /** How many tools contain each term. Terms that no tool contains may be left out. */
  readonly frequencies: ReadonlyMap<string, number>
  /** By prefix, the terms that start with it, the shortest first. */
  readonly startingWith: ReadonlyMap<string, readonly string[]>
  /** By misspelled word, the terms with the fewest typing errors. See `Vocabulary.resembling`. */
  readonly resembling: ReadonlyMap<string, readonly string[]>
}

export interface CandidatesRequest {
  /** The query, for engines that compare meanings. */
  readonly text: string
  readonly words: readonly CandidateWord[]
  /** The number of tools in the scope, as `terms` reported it. */
  readonly tools: number
  /** Words in lower case that the texts of every candidate should contain. */
  readonly required: readonly string[]
  readonly limit: number
  readonly scope: EngineScope
}

/** A tool scores for the best of the terms that may stand for a word. */
export interface CandidateWord {
  readonly terms: readonly CandidateTerm[]
}

export interface CandidateTerm {
  readonly term: string
  /** What the term adds to the score of a tool, times its impact in that tool. */
  readonly gain: number
  /** How many tools contain the term. */
  readonly frequency: number
}
