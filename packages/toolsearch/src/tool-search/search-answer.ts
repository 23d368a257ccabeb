import type { Tool } from '../catalogue/tool.ts'
import type { SearchOutcome } from './search-outcome.ts'

/** What goes back to the model for a call that was ours to answer. */
export interface Answer {
  readonly text: string
  /** The same as data, for callers that send structured results. */
  readonly data: unknown
  readonly isError: boolean
}

export interface ResultContext {
  /** Every tool this caller may see, in catalogue order. */
  readonly visible: () => readonly Tool[]
  /** The name of the search tool, for sentences that mention it. */
  readonly searchToolName: string
  readonly countTokens: (text: string) => number
}

/** Must not throw and must be pure: the same outcome gives the same bytes. */
export type ResultFormat = (outcome: SearchOutcome, context: ResultContext) => Answer

/** The answer most formats give: data, and its JSON as the text. */
export function jsonAnswer(
  data: unknown,
  { isError = false, indent = 0 }: { isError?: boolean; indent?: number } = {},
): Answer {
  return { text: JSON.stringify(data, undefined, indent), data, isError }
}
