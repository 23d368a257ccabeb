import type { Tool } from '../catalogue/tool.ts'
import { fail } from '../options/check-option.ts'
import type { SearchOutcome } from './search-outcome.ts'

/** What the model receives as the result of a call that this library answers. */
export interface Answer {
  readonly text: string
  /** The same content as data, for callers that send structured results. */
  readonly data: unknown
  readonly isError: boolean
}

export interface ResultContext {
  /** Every tool this caller may see, in catalogue order. */
  readonly visible: () => readonly Tool[]
  /** Whether the caller can find skills. */
  readonly hasSkills: () => boolean
  /** The name of the search tool, for sentences that mention it. */
  readonly searchToolName: string
  readonly countTokens: (text: string) => number
}

/**
 * Formats a search outcome for the model. Must be pure and must not throw. `session.rebuild` reads the found
 * tools from the text: from JSON with `loaded`, `tools`, `matches` or `results`, or else from lines such as
 * `- name`. It knows only those of other texts that the model has called.
 */
export interface ResultFormat {
  (outcome: SearchOutcome, context: ResultContext): Answer
  /**
   * Where adapters use this format of a preset. Elsewhere, one that fits their mode tells the model more.
   * `lists`: where the request lists the found tools. `schemas`: also where the model reads their schemas in
   * the result.
   * @default everywhere
   */
  readonly usedIn?: 'lists' | 'schemas'
}

/** A format that adapters use only there. */
export function usedIn(
  place: NonNullable<ResultFormat['usedIn']>,
  format: ResultFormat,
): ResultFormat {
  return Object.assign((...args: Parameters<ResultFormat>) => format(...args), { usedIn: place })
}

/**
 * Returns what a result format returned.
 *
 * @throws InvalidOptionError if that is not an answer: the format may be custom
 */
export function checkedAnswer(answer: Answer): Answer {
  if (typeof (answer as Answer | null | undefined)?.text !== 'string') {
    fail(answer, 'the result of result()', 'return an object with text, data and isError')
  }
  return answer
}

/** An answer whose text is its data as JSON. */
export function jsonAnswer(
  data: unknown,
  { isError = false, indent = 0 }: { isError?: boolean; indent?: number } = {},
): Answer {
  return { text: JSON.stringify(data, undefined, indent), data, isError }
}
