import type { Tool } from '../catalogue/tool.ts'
import type { OutputPart } from '../outputs/output-part.ts'
import type { Answer } from './search-answer.ts'
import type { SearchOutcome } from './search-outcome.ts'

/** What `session.answer` made of a call. */
export type CallResult = AnsweredCall | RunnableCall

/** What `session.run` made of a call. */
export type RunResult = AnsweredCall | ExecutedCall | RunnableCall

/** The call is answered without running a tool. Send `text` to the model. */
export interface AnsweredCall extends Answer {
  readonly kind: 'answered'
  /**
   * - `search`: the model called the search tool
   * - `unknown-tool`: this conversation has no tool with that name
   * - `not-loaded`: the model guessed the arguments; the tool is loaded now
   * - `invalid-arguments`: the arguments do not match the tool's schema
   */
  readonly reason: 'search' | 'unknown-tool' | 'not-loaded' | 'invalid-arguments'
  /** The `id` of the call, if it had one. */
  readonly id?: string
  /** The called tool, if it exists. */
  readonly tool?: Tool
  /** The result of a search as data. */
  readonly outcome?: SearchOutcome
}

/** The call is valid. Run the tool with these arguments. */
export interface RunnableCall {
  readonly kind: 'run'
  readonly id?: string
  readonly tool: Tool
  /** Parsed and validated. A schema library's defaults and transforms are applied. */
  readonly arguments: Record<string, unknown>
}

/** The tool's `execute` function ran. Send `text` to the model, or `parts` if it can read them. */
export interface ExecutedCall {
  readonly kind: 'executed'
  readonly id?: string
  readonly tool: Tool
  readonly arguments: Record<string, unknown>
  /** What `execute` returned or threw. */
  readonly output: unknown
  /** The output as text: a string unchanged, data as JSON. Images and files are only named. */
  readonly text: string
  /** The output with its images and files. */
  readonly parts: readonly OutputPart[]
  /**
   * Whether `execute` threw, or returned an `Error`, an MCP result with `isError`, or a value that
   * JSON cannot represent.
   */
  readonly isError: boolean
}
