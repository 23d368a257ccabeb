import type { Tool } from '../catalogue/tool.ts'
import type {
  CallResult,
  ExecutedCall,
  RunnableCall,
  RunResult,
} from '../tool-search/call-result.ts'
import type { Answer, ResultFormat } from '../tool-search/search-answer.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import { requireRunnable, requireToolCall, type ToolCall } from '../tool-search/tool-call.ts'
import { checkAnswer, checkRun } from './check-options.ts'
import type { Report } from './events.ts'
import { executeCalls, isExecutable } from './execute-calls.ts'
import { untilAborted } from './until-aborted.ts'

/** Handles the model's calls. A list is one reply: pass all of its calls together. */
export interface SessionCalls {
  /**
   * Handles calls without running tools. A result of the kind `answered` goes back to the model: for
   * a search, for a call to a tool that is not loaded yet or does not exist, and for invalid
   * arguments. A result of the kind `run` is a valid call for you to run.
   *
   * The results are in the order of the calls. Tool calls are checked before the searches of the same
   * reply run, because the model made them without knowing what the searches find. If the search
   * tool's `execution` is `sequential`, calls are handled one after another instead.
   *
   * @throws InvalidCallError if the value is not a call
   * @throws InvalidValidatorError if the `validate` option does not return a list
   * @throws InvalidOptionError
   */
  answer(call: ToolCall, options?: AnswerOptions): Promise<CallResult>
  answer(calls: readonly ToolCall[], options?: AnswerOptions): Promise<readonly CallResult[]>
  /**
   * Like `answer`, and executes valid calls to tools that have `execute`. Calls run at the same time
   * unless a tool's `execution` is `sequential`. A tool that throws gives a result with `isError`.
   * Valid calls to other tools are returned as `run`, for you to run.
   *
   * Rejects with the reason of `signal` as soon as it is aborted, and starts no further call.
   */
  run(call: ToolCall, options?: RunOptions): Promise<RunResult>
  run(calls: readonly ToolCall[], options?: RunOptions): Promise<readonly RunResult[]>
  /**
   * The second half of `run`: executes calls that `answer` returned as `run`, for example after a
   * person approved them.
   *
   * @throws InvalidCallError if the value is not such a result
   */
  execute(call: RunnableCall, options?: RunOptions): Promise<ExecutedCall | RunnableCall>
  execute(
    calls: readonly RunnableCall[],
    options?: RunOptions,
  ): Promise<readonly (ExecutedCall | RunnableCall)[]>
}

export interface AnswerOptions {
  /**
   * Formats the answers to searches.
   * @default the preset's result format
   */
  readonly result?: ResultFormat
  /**
   * Whether a call that runs although its tool is hidden (`unloadedCalls: 'allow'`) loads the tool.
   * Turn it off if loading a tool would change the prefix of the next request.
   * @default true
   */
  readonly loadsCalled?: boolean
}

export interface RunOptions {
  /** Cancels the calls. `execute` receives it too. */
  readonly signal?: AbortSignal
}

export interface SessionCallsDependencies {
  readonly sessionId: string
  /** Reads changes made by other objects of this conversation, and the definitions of called tools. */
  refresh(called: readonly string[]): Promise<void>
  isSearch(call: ToolCall): boolean
  /** Whether calls after a search in the same reply already see what it loaded. */
  readonly hasSequentialSearch: boolean
  readonly reporting: <Result>(work: (report: Report) => Promise<Result>) => Promise<Result>
  /** Checks a call against the current state. Loads nothing. */
  check(call: ToolCall): Promise<CallResult>
  /** Keeps called tools loaded. */
  load(tools: readonly Tool[], report: Report, loadsCalled: boolean): Promise<void>
  search(
    input: unknown,
    options: AnswerOptions,
    report: Report,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }>
}

export function createSessionCalls(dependencies: SessionCallsDependencies): SessionCalls {
  const { sessionId, refresh, isSearch, hasSequentialSearch, reporting, check, load, search } =
    dependencies
  return {
    answer: oneOrAll((calls: readonly ToolCall[], options: AnswerOptions = {}) => {
      checkAnswer(options)
      return reporting(async (report) => {
        const results = await answerAll(calls, options, report)
        for (const [index, result] of results.entries()) {
          await report('onCall', { call: calls[index]!, result })
        }
        return results
      })
    }),

    run: oneOrAll((calls: readonly ToolCall[], options: RunOptions = {}) => {
      checkRun(options)
      const { signal } = options
      return untilAborted(signal, () =>
        reporting(async (report) => {
          const results = await answerAll(calls, { signal }, report)
          for (const [index, result] of results.entries()) {
            if (!isExecutable(result)) await report('onCall', { call: calls[index]!, result })
          }
          return executeAll(results, calls, signal, report)
        }),
      )
    }),

    execute: oneOrAll((calls: readonly RunnableCall[], options: RunOptions = {}) => {
      checkRun(options)
      const { signal } = options
      return untilAborted(signal, () =>
        reporting((report) => {
          for (const call of calls) requireRunnable(call)
          return executeAll(calls, calls.map(toToolCall), signal, report) as Promise<
            readonly (ExecutedCall | RunnableCall)[]
          >
        }),
      )
    }),
  }

  async function answerAll(
    calls: readonly ToolCall[],
    { signal, ...options }: AnswerOptions & { signal?: AbortSignal | undefined },
    report: Report,
  ): Promise<readonly CallResult[]> {
    for (const call of calls) requireToolCall(call)
    // a search reads the record itself
    const others = calls.filter((call) => !isSearch(call))
    if (others.length > 0) await refresh(others.map(({ name }) => name))
    if (hasSequentialSearch) return answerInOrder(calls, { signal, ...options }, report)
    const checked = await Promise.all(
      calls.map((call) => (isSearch(call) ? undefined : check(call))),
    )
    // so that the model can repeat a call to a tool that was not loaded, and keeps every tool it used
    await load(
      checked.flatMap((result) => result?.tool ?? []),
      report,
      options.loadsCalled ?? true,
    )
    const results: CallResult[] = []
    for (const [index, call] of calls.entries()) {
      signal?.throwIfAborted()
      results.push(checked[index] ?? (await answerSearch(call, options, report)))
    }
    return results
  }

  async function answerInOrder(
    calls: readonly ToolCall[],
    { signal, ...options }: AnswerOptions & { signal?: AbortSignal | undefined },
    report: Report,
  ): Promise<readonly CallResult[]> {
    const results: CallResult[] = []
    for (const call of calls) {
      signal?.throwIfAborted()
      if (isSearch(call)) results.push(await answerSearch(call, options, report))
      else {
        const result = await check(call)
        if (result.tool) await load([result.tool], report, options.loadsCalled ?? true)
        results.push(result)
      }
    }
    return results
  }

  async function answerSearch(
    { id, arguments: input }: ToolCall,
    options: AnswerOptions,
    report: Report,
  ): Promise<CallResult> {
    const { outcome, answer } = await search(input, options, report)
    const call = id !== undefined && { id }
    return { kind: 'answered', reason: 'search', ...call, ...answer, outcome }
  }

  function executeAll(
    results: readonly CallResult[],
    calls: readonly ToolCall[],
    signal: AbortSignal = new AbortController().signal,
    report: Report,
  ): Promise<readonly RunResult[]> {
    return executeCalls(results, {
      sessionId,
      signal,
      onExecuted: (result, index) => report('onCall', { call: calls[index]!, result }),
    })
  }
}

function toToolCall({ id, tool, arguments: input }: RunnableCall): ToolCall {
  return { ...(id !== undefined && { id }), name: tool.name, arguments: input }
}

interface OneOrAll<Call, Result, Options> {
  (call: Call, options?: Options): Promise<Result>
  (calls: readonly Call[], options?: Options): Promise<readonly Result[]>
}

function oneOrAll<Call, Result, Options>(
  work: (calls: readonly Call[], options?: Options) => Promise<readonly Result[]>,
): OneOrAll<Call, Result, Options> {
  const method = async (calls: Call | readonly Call[], options?: Options) =>
    Array.isArray(calls) ? work(calls, options) : (await work([calls as Call], options))[0]
  return method as OneOrAll<Call, Result, Options>
}
