import type { ScriptsConfig } from '../config/gateway-config.ts'
import { type CancelSignal, createCancellation } from '../protocol/cancellation.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { createClock } from './clock.ts'
import { CANCELLED, CLOSING } from './fair-places.ts'
import { outOfMemory, tooSlow } from './script-limits.ts'
import type { CallProblem, FromThread, ScriptEnd, ToThread } from './script-messages.ts'
import type { ScriptThread, ScriptThreads } from './script-threads.ts'

/** What a script did. */
export interface ScriptRun {
  readonly end: ScriptEnd
  /** What it logged, cut off at the limit. */
  readonly log: string
  /** How many characters were cut off the log. Infinity if the script was stopped before it was known. */
  readonly unloggedChars: number
  /** Its calls, in the order in which they started. */
  readonly calls: readonly ScriptCall[]
}

/** A call that a script made. */
export interface ScriptCall {
  readonly tool: string
  readonly state: 'waiting' | 'running' | 'ok' | 'failed'
}

/** The end of a call: data for the script, or a problem that it can catch. */
export type CallEnd = { readonly data: unknown } | { readonly problem: CallProblem }

export interface RunScriptOptions {
  readonly source: string
  readonly bounds: ScriptsConfig
  /** The name of the tool that a script means. @default as it is written */
  readonly toolName?: (written: string) => string
  /** Runs a call. Must not reject. */
  readonly call: (name: string, args: JsonObject, options: CallingOptions) => Promise<CallEnd>
  /** The id of the person who runs the script. Absent if all scripts are of the same person. */
  readonly person?: string | undefined
  /** Cancels the script and its calls. */
  readonly signal?: CancelSignal | undefined
  /** A call has ended. */
  readonly onCallEnded?: (calls: readonly ScriptCall[], tool: string) => void
}

export interface CallingOptions {
  readonly signal: CancelSignal
  /** Stops the clock of the script, such as while a person answers. Returns a function that restarts it. */
  readonly pause: () => () => void
}

/** Beyond the limit, for code of the engine that cannot be interrupted. */
const GRACE_MS = 2_000

/** Runs a script in a thread. Never rejects. */
export async function runScript(
  threads: ScriptThreads,
  options: RunScriptOptions,
): Promise<ScriptRun> {
  try {
    return await runIn(await threads.take(options), options)
  } catch (error) {
    return { end: failed((error as Error).message), log: '', unloggedChars: 0, calls: [] }
  }
}

function runIn(
  thread: ScriptThread,
  { source, bounds, toolName, call, signal, onCallEnded }: RunScriptOptions,
): Promise<ScriptRun> {
  const { worker } = thread
  const cancellation = createCancellation()
  const calls: { tool: string; state: ScriptCall['state'] }[] = []
  const queue: (() => void)[] = []
  let log = ''
  let unloggedChars = 0
  let running = 0
  /** Messages that the thread has not answered. */
  let unanswered = 0
  let isFinished = false
  let watchdog: NodeJS.Timeout | undefined

  return new Promise((resolve) => {
    const clock = createClock(bounds.timeoutMs, () => finish(failed(tooLate(bounds, calls))))
    const onError = (error: NodeJS.ErrnoException) => finish(failed(crashed(error, bounds)))
    const onExit = () => finish(failed(CLOSING))
    const onAbort = () => finish(failed(CANCELLED))

    /** The first end counts. Calls that still run are cancelled. */
    function finish(end: ScriptEnd, canRunAnother = false): void {
      if (isFinished) return
      isFinished = true
      clock.stop()
      clearTimeout(watchdog)
      signal?.removeEventListener('abort', onAbort)
      worker.off('message', receive)
      worker.off('error', onError)
      worker.off('exit', onExit)
      thread.release(canRunAnother)
      queue.length = 0
      cancellation.cancel()
      resolve({ end, log, unloggedChars, calls })
    }

    function send(message: ToThread): void {
      unanswered += 1
      worker.postMessage(message)
      clearTimeout(watchdog)
      watchdog = setTimeout(() => finish(failed(tooSlow(bounds))), bounds.cpuMs + GRACE_MS)
    }

    function receive(message: FromThread): void {
      if (message.kind === 'log') addLog(message.text)
      else if (message.kind === 'call') start(message)
      else if (message.kind === 'ended') {
        unloggedChars = Math.max(0, message.loggedChars - bounds.outputChars)
        finish(message.end, isIdle(message))
      } else if (message.kind === 'idle') {
        unanswered -= 1
        if (unanswered === 0) clearTimeout(watchdog)
      }
    }

    /** Whether another script can use the thread. */
    function isIdle({ isBroken }: { readonly isBroken: boolean }): boolean {
      return !isBroken && running === 0 && unanswered === 1
    }

    function addLog(text: string): void {
      const whole = `${log}${text}\n`
      log = whole.slice(0, bounds.outputChars)
      if (whole.length > log.length) unloggedChars = Number.POSITIVE_INFINITY
    }

    function start({ call: id, name, json }: Extract<FromThread, { kind: 'call' }>): void {
      const tool = toolName?.(name) ?? name
      const entry: (typeof calls)[number] = { tool, state: 'waiting' }
      calls.push(entry)
      const begin = async () => {
        running += 1
        entry.state = 'running'
        const end = await call(tool, JSON.parse(json) as JsonObject, {
          signal: cancellation.signal,
          pause: clock.pause,
        })
        running -= 1
        entry.state = 'data' in end ? 'ok' : 'failed'
        if (cancellation.signal.aborted) return
        onCallEnded?.(calls, tool)
        queue.shift()?.()
        const isError = 'problem' in end
        const text = JSON.stringify(isError ? { ...end.problem, tool } : (end.data ?? null))
        send({ kind: 'settle', call: id, isError, json: text })
      }
      if (running < bounds.parallelCalls) void begin()
      else queue.push(() => void begin())
    }

    worker.on('message', receive)
    worker.on('error', onError)
    worker.on('exit', onExit)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    else send({ kind: 'run', source, bounds })
  })
}

function failed(message: string): ScriptEnd {
  return { kind: 'failed', error: { message } }
}

function crashed({ code, message }: NodeJS.ErrnoException, bounds: ScriptsConfig): string {
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? outOfMemory(bounds)
    : `The script could not be run: ${message}.`
}

function tooLate({ timeoutMs }: ScriptsConfig, calls: readonly ScriptCall[]): string {
  const open = [
    ...new Set(calls.filter(({ state }) => state === 'running').map(({ tool }) => tool)),
  ]
  const waiting = open.length === 0 ? '' : ` It was waiting for ${open.join(', ')}.`
  return `The script took longer than ${timeoutMs / 1_000} seconds, which is the limit.${waiting}`
}
