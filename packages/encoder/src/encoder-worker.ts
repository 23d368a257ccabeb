import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { EncoderModelError } from './encoder-model-error.ts'
import { readModel } from './model-file.ts'
import { createRequestQueue } from './request-queue.ts'
import { createSentenceEncoder, type SentenceEncoder } from './sentence-encoder.ts'
import type { CancelRequest, EncodeRequest, WorkerReport } from './worker-messages.ts'

// The entry point of the worker thread. Texts are encoded a few at a time, so that a query never
// waits for a whole catalogue.
const port = parentPort!
const report = (message: WorkerReport) => port.postMessage(message)
const encoder = load()
if (encoder) serve(encoder)

function load(): SentenceEncoder | undefined {
  try {
    const encoder = createSentenceEncoder(readModel(readFileSync(workerData as string)))
    report({ kind: 'ready', model: encoder.id })
    return encoder
  } catch (error) {
    const { message } = error as Error
    report({
      kind: 'unusable',
      message:
        error instanceof EncoderModelError ? message : new EncoderModelError(message).message,
    })
    return undefined
  }
}

function serve(encoder: SentenceEncoder): void {
  const queue = createRequestQueue()
  let isScheduled = false
  port.on('message', (request: EncodeRequest | CancelRequest) => {
    if (request.kind === 'cancel') queue.cancel(request.id)
    else queue.add(request)
    schedule()
  })

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    // Messages that have arrived in the meantime are handled before the next texts.
    setImmediate(encodeNext)
  }

  function encodeNext(): void {
    isScheduled = false
    const texts = queue.next()
    if (texts.length === 0) return
    for (const { id, vectors } of queue.complete(encoder.encode(texts))) {
      report({ kind: 'vectors', id, vectors })
    }
    schedule()
  }
}
