import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { CancelSignal } from '../protocol/cancellation.ts'
import { CLOSING, createFairPlaces } from './fair-places.ts'
import type { FromThread } from './script-messages.ts'

/** Threads that run scripts: one script at a time each, so that none can block the gateway. */
export interface ScriptThreads {
  /**
   * A thread that nobody else uses. Waits for one if all are busy, or if the person has a fair share of
   * them.
   */
  take(options?: TakeThreadOptions): Promise<ScriptThread>
  /** Ends all threads. Their scripts fail. */
  close(): void
}

interface TakeThreadOptions {
  /** The id of the person who runs the script. Absent if all scripts are of the same person. */
  readonly person?: string | undefined
  /** Ends the waiting. */
  readonly signal?: CancelSignal | undefined
}

export interface ScriptThread {
  readonly worker: Worker
  /** Gives the thread back, or ends it if it may still be busy. */
  release(isIdle: boolean): void
}

export interface ScriptThreadsOptions {
  /** @default 8 */
  readonly maxThreads?: number
  /** How many scripts can wait for a thread. @default 32 */
  readonly maxWaiting?: number
  /** An unused thread ends after this time. @default 1 minute */
  readonly idleMs?: number
}

/** For the copies of results on their way into a sandbox. */
const HEAP_MB = 512

export function createScriptThreads({
  maxThreads = 8,
  maxWaiting = 32,
  idleMs = 60_000,
}: ScriptThreadsOptions = {}): ScriptThreads {
  const threads = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  const places = createFairPlaces({ places: maxThreads, maxWaiting })

  function end(worker: Worker): void {
    threads.delete(worker)
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    void worker.terminate()
  }

  function threadOf(worker: Worker, leave: () => void): ScriptThread {
    return {
      worker,
      release(isIdle) {
        if (isIdle && threads.has(worker)) {
          worker.unref()
          idle.set(worker, setTimeout(() => end(worker), idleMs).unref())
        } else end(worker)
        leave()
      },
    }
  }

  return {
    async take({ person, signal } = {}) {
      const leave = await places.take(person, signal)
      const [known] = idle.keys()
      if (known) {
        clearTimeout(idle.get(known))
        idle.delete(known)
        known.ref()
        return threadOf(known, leave)
      }
      const worker = startWorker()
      threads.add(worker)
      // Without a listener, the error of a thread would end the process.
      worker.on('error', () => end(worker))
      try {
        await isReady(worker)
        return threadOf(worker, leave)
      } catch (error) {
        end(worker)
        leave()
        throw error
      }
    },
    close() {
      places.close()
      for (const worker of threads) end(worker)
    },
  }
}

/** Its first message says that it is ready. */
function isReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(CLOSING))
    worker.once('message', (_: FromThread) => {
      worker.off('error', reject)
      worker.off('exit', onExit)
      resolve()
    })
    worker.once('error', reject)
    worker.once('exit', onExit)
  })
}

function startWorker(): Worker {
  const options = {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // Scripts cannot reach them, but the thread has no use for secrets.
    env: {},
    stdin: false,
  }
  const isSource = import.meta.url.endsWith('.ts')
  // Without the options of the process: `--import` would run the setup of a program once more.
  if (!isSource) {
    const file = new URL('../scripts/script-worker.js', import.meta.url)
    return new Worker(file, { ...options, execArgv: [] })
  }
  return new Worker(bundleWorker(), { ...options, eval: true, execArgv: [] })
}

let bundled: string | undefined

/**
 * In the repository, packages run from their sources, which Node 20 cannot load by itself. A loader in each
 * thread would take much longer than this.
 */
function bundleWorker(): string {
  const require = createRequire(import.meta.url)
  const url = JSON.stringify(import.meta.url)
  const { buildSync } = require('esbuild') as typeof import('esbuild')
  bundled ??= buildSync({
    entryPoints: [fileURLToPath(new URL('./script-worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    define: { 'import.meta.url': url },
    // It reads a file next to itself.
    external: ['@swc/wasm-typescript'],
    // Such a program resolves names against the working directory.
    banner: { js: '((require) => {' },
    footer: { js: `})(require('node:module').createRequire(${url}))` },
    write: false,
  }).outputFiles[0]!.text
  return bundled
}
