import type { Worker } from 'node:worker_threads'
import type { CancelRequest, EncodeRequest, WorkerReport } from './worker-messages.ts'

/** A worker thread that encodes texts. It starts when it is needed, and again when it has died. */
export interface EncoderThread {
  /** Resolves to the id of the model as soon as it is loaded. Rejects like `encode`. */
  model(): Promise<string>
  /**
   * Rejects if the weights cannot be used, if the thread dies, or once it is closed. The signal
   * cancels the request: texts that nobody waits for must not delay others.
   */
  encode(
    texts: readonly string[],
    kind: 'query' | 'document',
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>
  close(): Promise<void>
}

export interface EncoderThreadOptions {
  readonly start: () => Worker
  /**
   * How often a thread that died is replaced. Something that kills every thread, such as a lack of
   * memory, must not go on forever.
   * @default 5
   */
  readonly maxRestarts?: number
}

interface Pending<Result> {
  resolve(result: Result): void
  reject(error: Error): void
}

export function createEncoderThread({
  start,
  maxRestarts = 5,
}: EncoderThreadOptions): EncoderThread {
  const requests = new Map<number, Pending<readonly Float32Array[]>>()
  const loading = new Set<Pending<string>>()
  let worker: Worker | undefined
  let model: string | undefined
  /** Why no thread will be started any more. */
  let end: Error | undefined
  let starts = 0
  let lastId = 0

  return {
    model: () =>
      new Promise((resolve, reject) => {
        if (end) return reject(end)
        if (model !== undefined) return resolve(model)
        loading.add({ resolve, reject })
        running()
      }),
    encode: (texts, kind, signal) =>
      new Promise((resolve, reject) => {
        if (end) return reject(end)
        const id = ++lastId
        requests.set(id, { resolve, reject })
        running()?.postMessage({ id, kind, texts } satisfies EncodeRequest)
        signal?.addEventListener('abort', () => {
          if (!requests.delete(id)) return
          worker?.postMessage({ id, kind: 'cancel' } satisfies CancelRequest)
          reject(signal.reason)
        })
      }),
    async close() {
      const closed = worker
      finish(new Error('The encoder is closed.'))
      await closed?.terminate()
    },
  }

  function running(): Worker | undefined {
    if (worker) return worker
    starts++
    try {
      const started = start()
      worker = started
      started.on('message', (report: WorkerReport) => receive(report))
      started.on('error', (error: Error) => died(started, error.message))
      started.on('exit', (code) => died(started, `it ended with exit code ${code}`))
      // A process that has nothing else to do may end.
      started.unref()
    } catch (error) {
      finish(new Error(`Cannot start the encoder's thread: ${(error as Error).message}`))
    }
    return worker
  }

  function receive(report: WorkerReport): void {
    if (report.kind === 'unusable') finish(new Error(report.message))
    else if (report.kind === 'ready') {
      model = report.model
      for (const { resolve } of loading) resolve(report.model)
      loading.clear()
    } else {
      requests.get(report.id)?.resolve(report.vectors)
      requests.delete(report.id)
    }
  }

  function died(which: Worker, reason: string): void {
    if (which !== worker) return
    worker = undefined
    const message = `The encoder's thread stopped: ${reason}.`
    if (starts > maxRestarts) {
      finish(new Error(`${message} It is not started again because it stopped ${starts} times.`))
    } else rejectAll(new Error(message))
  }

  function finish(error: Error): void {
    end ??= error
    worker = undefined
    rejectAll(end)
  }

  function rejectAll(error: Error): void {
    const all = [...requests.values(), ...loading]
    requests.clear()
    loading.clear()
    for (const { reject } of all) reject(error)
  }
}
