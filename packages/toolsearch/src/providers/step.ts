import { isObject } from '../is-object.ts'
import { abortSignal, callback, check, checkOptions, type Shape } from '../options/check-option.ts'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import type { ToolOutput } from '../outputs/output-part.ts'
import { errorText } from '../outputs/output-text.ts'
import { partsText } from '../outputs/parts-text.ts'
import { readOutput } from '../outputs/read-output.ts'
import type { Session } from '../session/session.ts'
import type { RunOptions } from '../session/session-calls.ts'
import { untilAborted } from '../session/until-aborted.ts'
import type { RunnableCall } from '../tool-search/call-result.ts'
import { MissingExecuteError, MissingOutputError } from './adapter-errors.ts'
import type { ForeignCall, HandledCall } from './call-handler.ts'
import type { ProviderCall, ToolResult } from './provider.ts'

/** What to do after a reply. */
export interface Step<Message> {
  /**
   * The calls for your program to run: those to your tools, with their own names and validated
   * arguments, and foreign ones.
   */
  readonly calls: readonly StepCall[]
  /** Whether the model expects results: if so, append the messages and send the next request. */
  readonly shouldContinue: boolean
  /**
   * Runs `calls` with the tools' own `execute` functions, like `session.run`. Calls to tools without
   * one, and foreign calls, go to the option `execute`. Resolves to the reply and its results, to
   * append to the history.
   *
   * @throws MissingExecuteError if there is no function for a call. Then no call runs.
   */
  run(options?: StepRunOptions): Promise<Message[]>
  /**
   * The reply and its results, for programs that run the calls themselves. Takes one output for each
   * of `calls`, in the same order. @throws MissingOutputError, InvalidOptionError
   */
  messages(outputs?: readonly CallOutput[]): Message[]
}

interface StepRunOptions extends RunOptions {
  /**
   * Runs calls to tools without an `execute` function, and foreign calls. If it throws, the model gets
   * the error message.
   */
  readonly execute?: (
    call: StepCall,
    context: { readonly signal: AbortSignal | undefined },
  ) => unknown
}

const RUN = {
  signal: abortSignal,
  execute: callback,
} satisfies Shape & Record<keyof StepRunOptions, unknown>

/** A call for your program to run. */
export interface StepCall {
  readonly id?: string
  readonly name: string
  readonly arguments: Record<string, unknown>
  /**
   * The tool is not in the catalogue: it is one of `extraTools`, or a tool of the provider, such as
   * its shell. The arguments are not validated.
   */
  readonly isForeign?: boolean
  /** A foreign call as the provider sent it. */
  readonly native?: Readonly<Record<string, unknown>>
}

/**
 * What a tool returned: a string, the result of an MCP server, a block or a list of blocks with text,
 * images or files in the shape of any provider, an output of the AI SDK, or any other value, which is
 * sent as JSON. An `Error` and an MCP result with `isError` are sent as an error. For a foreign call
 * also a result in the provider's shape, which is sent unchanged.
 */
type CallOutput = unknown

export interface StepOptions<Message> {
  readonly session: Session
  /** All calls of the reply, in order. */
  readonly handled: readonly HandledCall[]
  readonly shouldContinue: boolean
  /** Whether an output already is a result in the provider's shape. */
  readonly isNativeResult: (output: Readonly<Record<string, unknown>>) => boolean
  /** The messages to append to the history. */
  readonly render: (results: readonly ToolResult[]) => Message[]
}

export function createStep<Message>(options: StepOptions<Message>): Step<Message> {
  const { session, handled, shouldContinue, isNativeResult, render } = options
  const pending = handled.filter((entry): entry is PendingCall => !('result' in entry))
  const calls = pending.map(toStepCall)
  return {
    calls,
    shouldContinue,

    async run(runOptions = {}) {
      checkOptions(runOptions, 'options', RUN)
      const { signal, execute } = runOptions
      const missing = calls.find((_, index) => !execute && !isExecutable(pending[index]!))
      if (missing) throw new MissingExecuteError(missing.name)
      return untilAborted(signal, async () => {
        const runnable = pending.flatMap((entry) => (isExecutable(entry) ? [entry.runnable] : []))
        const own = session.execute(runnable, signal && { signal })
        const others = pending.map(async (entry, index) =>
          isExecutable(entry)
            ? undefined
            : outputOf(entry, await settle(() => execute!(calls[index]!, { signal }))),
        )
        const executed = (await own).flatMap((call) => (call.kind === 'executed' ? [call] : []))
        const outputs = await Promise.all(others)
        return withOutputs(outputs.map((output) => output ?? executed.shift()!))
      })
    },

    messages(outputs = []) {
      checkOutputs(outputs, 'outputs')
      if (outputs.length < calls.length) throw new MissingOutputError(calls[outputs.length]!.name)
      if (outputs.length > calls.length) failExtra(outputs, calls.length)
      return withOutputs(outputs.map((output, index) => outputOf(pending[index]!, output)))
    },
  }

  function outputOf(entry: PendingCall, output: CallOutput): Output {
    const isNative = 'foreign' in entry && isObject(output) && isNativeResult(output)
    return isNative ? { parts: [], isError: false, native: output } : readOutput(output)
  }

  function withOutputs(outputs: readonly Output[]): Message[] {
    const remaining = [...outputs]
    return render(
      handled.map((entry) =>
        'result' in entry
          ? entry.result
          : toResult(entry.call, toStepCall(entry).name, remaining.shift()!),
      ),
    )
  }
}

type Output = ToolOutput & Pick<ToolResult, 'native'>
type PendingCall = Exclude<HandledCall, { readonly result: ToolResult }>

function toStepCall(entry: PendingCall): StepCall | ForeignCall {
  if ('foreign' in entry) return entry.foreign
  const { id, tool, arguments: input } = entry.runnable
  return { ...(id !== undefined && { id }), name: tool.name, arguments: input }
}

function isExecutable(entry: PendingCall): entry is PendingCall & { runnable: RunnableCall } {
  return 'runnable' in entry && entry.runnable.tool.execute !== undefined
}

/** What a function returns, or the error it throws. */
async function settle(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(errorText(error))
  }
}

const checkOutputs = check(Array.isArray, 'use an array with one output for each of step.calls')

function failExtra(outputs: readonly CallOutput[], callCount: number): never {
  const message =
    `messages() got ${outputs.length} outputs, but step.calls has ${callCount}. Pass one output for ` +
    'each call. step.run() resolves to messages, not outputs: append them to the history.'
  throw new InvalidOptionError('outputs', outputs, message)
}

function toResult(
  call: ProviderCall,
  tool: string,
  { parts, isError, native }: Output,
): ToolResult {
  const text = partsText(parts)
  const result = { call, tool, text, parts, isError, reveals: [], isTextRedundant: false }
  return native ? { ...result, native } : result
}
