import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { ScriptsConfig } from '../config/gateway-config.ts'
import { locate } from './locate.ts'
import { newEngine } from './new-engine.ts'
import { PRELUDE } from './prelude.ts'
import { createSandboxMemory, type SandboxMemory } from './sandbox-memory.ts'
import {
  outOfMemory,
  tooLarge,
  tooLong,
  tooManyCalls,
  tooMuchSent,
  tooSlow,
} from './script-limits.ts'
import type { ScriptEnd, ScriptProblem } from './script-messages.ts'
import { SCRIPT_FILE, type StrippedScript } from './strip-types.ts'

/** A script in QuickJS. Every method runs the script until it waits for calls or ends. */
export interface Sandbox {
  run(script: StrippedScript): Progress
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
  const functions = install(context, memory, {
    startCall(call, name, json) {
      calls += 1
      if (calls > bounds.calls) {
        stopped ??= tooManyCalls(bounds)
        return
      }
      sentChars += name.length + json.length
      if (sentChars > memoryBytes) {
        stopped ??= tooMuchSent(bounds)
        return
      }
      pending.set(call, name)
      onCall(call, name, json)
    },
    log(text) {
      // What exceeds the limit must not leave the thread: a loop could fill the memory of the gateway.
      if (loggedChars <= bounds.outputChars) {
        onLog(text.slice(0, bounds.outputChars + 1 - loggedChars))
      }
      loggedChars += text.length + 1
    },
    returned(text) {
      unawaited = [...pending.values()]
      end ??=
        text !== undefined && text.length > bounds.outputChars
          ? failed(tooLong(text.length, bounds))
          : { kind: 'returned', ...(text !== undefined && { text }), unawaited }
    },
    failed(name, message, stack) {
      end ??= { kind: 'failed', error: locate({ name, message, stack }, bounds) }
    },
    lost(name, message, stack) {
      lost.push(locate({ name, message, stack }, bounds))
    },
  })

  /** Runs the script until it waits for calls or ends. */
  function proceed(step: () => ReturnType<QuickJSContext['callFunction']>): Progress {
    deadline = performance.now() + bounds.cpuMs
    try {
      advance(step())
    } catch (error) {
      // Without memory, the engine can trap.
      if (!memory.isFull()) throw error
    }
    if (memory.isFull()) stopped ??= outOfMemory(bounds)
    if (stopped !== undefined) return failed(stopped)
    if (pending.size > 0) return undefined
    if (end?.kind === 'returned') {
      context.callFunction(functions.reportLost, context.undefined).dispose()
      return { ...end, ...(lost.length > 0 && { lost }) }
    }
    return end ?? failed(NEVER_SETTLED)
  }

  function advance(result: ReturnType<QuickJSContext['callFunction']>): void {
    if (result.error) {
      const { name, message, stack } = (context.dump(result.error) ?? {}) as Record<string, string>
      end ??= { kind: 'failed', error: locate({ name, message, stack }, bounds) }
      result.error.dispose()
      return
    }
    result.value.dispose()
    const jobs = runtime.executePendingJobs()
    if (jobs.error) jobs.error.dispose()
  }

  /** Programs with a `return` do not compile. */
  function canCompile(program: string): boolean {
    const compiled = context.evalCode(program, SCRIPT_FILE, AS_ASYNC | COMPILE_ONLY)
    compiled.dispose()
    return compiled.error === undefined
  }

  return {
    run: ({ code, program }) =>
      proceed(() => {
        // The value of a program tells whether it ends with `main()`, whose errors would be lost otherwise.
        const script = canCompile(program)
          ? context.evalCode(program, SCRIPT_FILE, AS_ASYNC)
          : context.evalCode(code, SCRIPT_FILE)
        if (script.error) return script
        const result = context.callFunction(functions.run, context.undefined, script.value)
        script.value.dispose()
        return result
      }),
    settle: (call, isError, json) =>
      proceed(() => {
        const name = pending.get(call)
        pending.delete(call)
        const isTooLarge = Buffer.byteLength(json) * RESULT_SHARE > memoryBytes
        const problem = tooLarge(name, json.length)
        const text = isTooLarge ? JSON.stringify({ message: problem }) : json
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

interface HostFunctions {
  startCall(call: number, name: string, json: string): void
  log(text: string): void
  returned(text?: string): void
  failed(name: string, message: string, stack: string): void
  lost(name: string, message: string, stack: string): void
}

/** Runs the prelude. The script gets none of these functions. */
function install(
  context: QuickJSContext,
  memory: SandboxMemory,
  host: HostFunctions,
): Readonly<Record<'run' | 'settle' | 'reportLost', QuickJSHandle>> {
  const functions = context.newObject()
  for (const [name, run] of Object.entries(host)) {
    const handle = context.newFunction(name, (...given) => {
      // Only numbers and strings: nothing of the script but copies of its texts leaves the sandbox.
      const values = given.map((each) =>
        context.typeof(each) === 'number' ? context.getNumber(each) : context.getString(each),
      )
      // Copies can be empty then.
      if (memory.isFull()) return
      ;(run as (...values: (number | string)[]) => void)(...values)
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

const NEVER_SETTLED =
  'The script waits for a promise that nothing will ever resolve. Only calls of tools take time.'

function failed(message: string): ScriptEnd {
  return { kind: 'failed', error: { message } }
}
