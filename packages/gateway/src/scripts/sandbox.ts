import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { ScriptsConfig } from '../config/gateway-config.ts'
import { endsWithAwait } from './ends-with-await.ts'
import { locate, type ThrownError } from './locate.ts'
import { newEngine } from './new-engine.ts'
import { PRELUDE } from './prelude.ts'
import { createSandboxMemory } from './sandbox-memory.ts'
import {
  outOfMemory,
  tooLarge,
  tooLong,
  tooManyCalls,
  tooMuchSent,
  tooSlow,
} from './script-limits.ts'
import type { ScriptEnd, ScriptProblem } from './script-messages.ts'
import { asDeclaration, asFunction, asProgram, SCRIPT_FILE } from './strip-types.ts'

/** A script in QuickJS. Every method runs the script until it waits for calls or ends. */
export interface Sandbox {
  /** @param body that of an async function, in JavaScript */
  run(body: string): Progress
  /** Passes the end of a call to the script. */
  settle(call: number, isError: boolean, json: string): Progress
  /** How much the script logged, including what was kept back. */
  loggedChars(): number
}

/** Undefined while the script waits for calls. */
type Progress = ScriptEnd | undefined

export interface SandboxOptions {
  readonly bounds: ScriptsConfig
  readonly onCall: (call: number, name: string, json: string) => void
  readonly onLog: (text: string) => void
}

/** A deep recursion ends with an error long before the stack of the thread does. */
const STACK_BYTES = 256 * 1024
/** Flags of QuickJS that the package does not name: top-level `await`, and compiling without running. */
const AS_ASYNC = 1 << 7
const COMPILE_ONLY = 1 << 5
/** Results take several times their size while they are parsed. */
const RESULT_SHARE = 3

/** A new instance of QuickJS, with memory of its own, for one script. */
export async function createSandbox({ bounds, onCall, onLog }: SandboxOptions): Promise<Sandbox> {
  const memory = createSandboxMemory(bounds.memoryMb)
  const engine = await newEngine(memory)
  const runtime = engine.newRuntime()
  const memoryBytes = bounds.memoryMb * 1024 * 1024
  runtime.setMaxStackSize(STACK_BYTES)
  const context = runtime.newContext()

  /** Set as soon as the script has to end, whatever it does about it. */
  let stopped: string | undefined
  let deadline = Number.POSITIVE_INFINITY
  let end: ScriptEnd | undefined
  const lost: ScriptProblem[] = []
  let calls = 0
  let sentChars = 0
  let loggedChars = 0
  /** The tools of calls that have not ended. */
  const pending = new Map<number, string>()
  /** Of those that were pending when the script returned. */
  let unawaited: readonly string[] = []

  runtime.setInterruptHandler(() => {
    if (memory.isFull()) stopped ??= outOfMemory(bounds)
    if (performance.now() > deadline) stopped ??= tooSlow(bounds)
    return stopped !== undefined
  })
  const functions = install(context, {
    startCall(call, nameJson, json) {
      const name = JSON.parse(nameJson) as string
      calls += 1
      sentChars += name.length + json.length
      if (calls > bounds.calls) stopped ??= tooManyCalls(bounds)
      else if (memory.isFull()) stopped ??= outOfMemory(bounds)
      else if (sentChars > memoryBytes) stopped ??= tooMuchSent(bounds)
      if (stopped !== undefined) return false
      pending.set(call, name)
      onCall(call, name, json)
      return true
    },
    log(json) {
      const text = textOf(json)
      // What exceeds the limit must not leave the thread: a loop could fill the memory of the gateway.
      if (loggedChars <= bounds.outputChars) {
        onLog(text.slice(0, bounds.outputChars + 1 - loggedChars))
      }
      loggedChars += text.length + 1
    },
    returned(json) {
      unawaited = [...pending.values()]
      const text = json === undefined ? undefined : textOf(json)
      end ??=
        text !== undefined && text.length > bounds.outputChars
          ? failed(tooLong(text.length, bounds))
          : { kind: 'returned', ...(text !== undefined && { text }), unawaited }
    },
    failed(json) {
      end ??= { kind: 'failed', error: locate(JSON.parse(json) as ThrownError, bounds) }
    },
    lost(json) {
      lost.push(locate(JSON.parse(json) as ThrownError, bounds))
    },
  })

  /** Runs the script until it waits for calls or ends. */
  function proceed(step: () => ReturnType<QuickJSContext['callFunction']>): Progress {
    deadline = performance.now() + bounds.cpuMs
    const before = end
    try {
      advance(step())
    } catch (error) {
      // Without memory, the engine can trap.
      if (!memory.isFull()) throw error
    }
    if (memory.isFull()) stopped ??= outOfMemory(bounds)
    if (stopped !== undefined) {
      const error = end !== before && end?.kind === 'failed' ? end.error : undefined
      // The engine does not know well where it interrupts a loop.
      const place = error?.message === INTERRUPTED ? undefined : error
      return { kind: 'failed', error: { ...place, message: stopped } }
    }
    if (pending.size > 0) return undefined
    if (end?.kind === 'returned') {
      context.callFunction(functions.reportLost, context.undefined).dispose()
      return { ...end, ...(lost.length > 0 && { lost }) }
    }
    return end ?? failed(NEVER_SETTLED)
  }

  function advance(result: ReturnType<QuickJSContext['callFunction']>): void {
    const jobs = result.error ? result : runtime.executePendingJobs()
    if (jobs.error) {
      const error = (context.dump(jobs.error) ?? {}) as ThrownError
      end ??= { kind: 'failed', error: locate(error, bounds) }
      jobs.error.dispose()
    }
    if (!result.error) result.value.dispose()
  }

  function compile(code: string): ReturnType<QuickJSContext['evalCode']> {
    return context.evalCode(code, SCRIPT_FILE, AS_ASYNC | COMPILE_ONLY)
  }

  function canCompile(body: string): boolean {
    const compiled = compile(asProgram(body))
    compiled.dispose()
    return compiled.error === undefined
  }

  return {
    run: (body) =>
      proceed(() => {
        const compiled = compile(asDeclaration(body))
        if (compiled.error) return compiled
        compiled.value.dispose()
        // Programs with a `return` do not compile. The value of others is that of `main()` or `await main()`.
        const isProgram = canCompile(body)
        const hasValue = isProgram && endsWithAwait(body, canCompile) ? context.true : context.false
        const script = isProgram
          ? context.evalCode(asProgram(body), SCRIPT_FILE, AS_ASYNC)
          : context.evalCode(asFunction(body), SCRIPT_FILE)
        if (script.error) return script
        const result = context.callFunction(
          functions.run,
          context.undefined,
          script.value,
          hasValue,
        )
        script.value.dispose()
        return result
      }),
    settle: (call, isError, json) =>
      proceed(() => {
        const name = pending.get(call)
        pending.delete(call)
        const isTooLarge = Buffer.byteLength(json) * RESULT_SHARE > memoryBytes
        const problem = tooLarge(name, json.length)
        const text = isTooLarge ? JSON.stringify({ message: problem, tool: name }) : json
        const handles = memory.beyondLimit(() => [
          context.newNumber(call),
          isError || isTooLarge ? context.true : context.false,
          context.newString(text),
        ])
        if (memory.isFull()) stopped ??= problem
        const result = context.callFunction(functions.settle, context.undefined, ...handles)
        for (const handle of handles) handle.dispose()
        return result
      }),
    loggedChars: () => loggedChars,
  }
}

/** What the prelude can call. Texts are JSON. */
interface HostFunctions {
  /** Returns false if the script may not call anything any more. */
  startCall(call: number, name: string, json: string): boolean
  log(json: string): void
  returned(json?: string): void
  failed(json: string): void
  lost(json: string): void
}

/** A string as it is, and everything else as JSON. */
function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string).toWellFormed() : json
}

/** Runs the prelude. The script gets none of these functions. */
function install(
  context: QuickJSContext,
  host: HostFunctions,
): Readonly<Record<'run' | 'settle' | 'reportLost', QuickJSHandle>> {
  const functions = context.newObject()
  for (const [name, run] of Object.entries(host)) {
    const handle = context.newFunction(name, (...given) => {
      // Only numbers and strings: nothing of the script but copies of its texts leaves the sandbox.
      const values = given.map((each) =>
        context.typeof(each) === 'number' ? context.getNumber(each) : context.getString(each),
      )
      // JSON is never empty: there was no memory for the copy.
      if (values.includes('')) return
      const result = (run as (...values: (number | string)[]) => unknown)(...values)
      return result === false ? context.false : context.undefined
    })
    context.setProp(functions, name, handle)
    handle.dispose()
  }
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'gateway'))
  const installed = context.unwrapResult(
    context.callFunction(prelude, context.undefined, functions),
  )
  prelude.dispose()
  functions.dispose()
  return {
    run: context.getProp(installed, 'run'),
    settle: context.getProp(installed, 'settle'),
    reportLost: context.getProp(installed, 'reportLost'),
  }
}

const INTERRUPTED = 'InternalError: interrupted'

const NEVER_SETTLED =
  'The script waits for a promise that nothing will ever resolve. Only calls of tools take time.'

function failed(message: string): ScriptEnd {
  return { kind: 'failed', error: { message } }
}
