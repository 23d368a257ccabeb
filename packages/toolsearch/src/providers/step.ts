import { check } from '../options/check-option.ts'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import type { ToolOutput } from '../outputs/output-part.ts'
import { partsText } from '../outputs/parts-text.ts'
import { readOutput } from '../outputs/read-output.ts'
import type { Session } from '../session/session.ts'
import type { RunOptions } from '../session/session-calls.ts'
import { MissingExecuteError, MissingOutputError } from './adapter-errors.ts'
import type { HandledCall } from './call-handler.ts'
import type { ProviderCall, ToolResult } from './provider.ts'

/** What to do after a reply. */
export interface Step<Message> {
  /** The calls for your program to run, with your tools' own names and validated arguments. */
  readonly calls: readonly StepCall[]
  /** Whether the model expects results: if so, append the messages and send the next request. */
  readonly shouldContinue: boolean
  /**
   * Runs `calls` with the tools' own `execute` functions, like `session.run`. Resolves to the reply
   * and its results, to append to the history.
   *
   * @throws MissingExecuteError if a called tool has no `execute`. Then no call runs.
   */
  run(options?: RunOptions): Promise<Message[]>
  /**
   * The reply and its results, for programs that run the calls themselves. Takes one output for each
   * of `calls`, in the same order. @throws MissingOutputError, InvalidOptionError
   */
  messages(outputs?: readonly CallOutput[]): Message[]
}

/** A call for your program to run. */
export interface StepCall {
  readonly id?: string
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/**
 * What a tool returned: a string, the result of an MCP server, a block or a list of blocks with text,
 * images or files in the shape of any provider, an output of the AI SDK, or any other value, which is
 * sent as JSON. An `Error` and an MCP result with `isError` are sent as an error.
 */
export type CallOutput = unknown

export interface StepOptions<Message> {
  readonly session: Session
  /** All calls of the reply, in order. */
  readonly handled: readonly HandledCall[]
  readonly shouldContinue: boolean
  /** The messages to append to the history. */
  readonly render: (results: readonly ToolResult[]) => Message[]
}

export function createStep<Message>(options: StepOptions<Message>): Step<Message> {
  const { session, handled, shouldContinue, render } = options
  const pending = handled.flatMap((entry) => ('runnable' in entry ? [entry.runnable] : []))
  const calls = pending.map(({ id, tool, arguments: input }) => ({
    ...(id !== undefined && { id }),
    name: tool.name,
    arguments: input,
  }))
  return {
    calls,
    shouldContinue,

    async run(runOptions) {
      const missing = pending.find(({ tool }) => tool.execute === undefined)
      if (missing) throw new MissingExecuteError(missing.tool.name)
      const executed = await session.execute(pending, runOptions)
      return withOutputs(executed.flatMap((call) => (call.kind === 'executed' ? [call] : [])))
    },

    messages(outputs = []) {
      checkOutputs(outputs, 'outputs')
      if (outputs.length < pending.length) throw new MissingOutputError(calls[outputs.length]!.name)
      if (outputs.length > pending.length) failExtra(outputs, pending.length)
      return withOutputs(outputs.map(readOutput))
    },
  }

  function withOutputs(outputs: readonly ToolOutput[]): Message[] {
    const remaining = [...outputs]
    return render(
      handled.map((entry) =>
        'result' in entry
          ? entry.result
          : toResult(entry.call, entry.runnable.tool.name, remaining.shift()!),
      ),
    )
  }
}

const checkOutputs = check(Array.isArray, 'use an array with one output for each of step.calls')

function failExtra(outputs: readonly CallOutput[], callCount: number): never {
  const message =
    `messages() got ${outputs.length} outputs, but step.calls has ${callCount}. Pass one output for ` +
    'each call. step.run() resolves to messages, not outputs: append them to the history.'
  throw new InvalidOptionError('outputs', outputs, message)
}

function toResult(call: ProviderCall, tool: string, { parts, isError }: ToolOutput): ToolResult {
  const text = partsText(parts)
  return { call, tool, text, parts, isError, reveals: [], isTextRedundant: false }
}
