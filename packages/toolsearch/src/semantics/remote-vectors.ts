import { deleteOldest } from '../delete-oldest.ts'
import { type Check, callback, check, complete, count } from '../options/check-option.ts'
import { checkEmbedder } from './check-embedder.ts'
import type { Embedder, TextVectors } from './embedder.ts'

export interface RemoteVectorsOptions {
  readonly embedder: Embedder
  /**
   * How long a search waits for the vector of its query before it continues with keywords only.
   * @default 1_000
   */
  readonly timeoutMs?: number
  /**
   * How many vectors to cache. Beyond that, the least recently used one is evicted.
   * @default 20_000
   */
  readonly maxKept?: number
  /**
   * The current time in milliseconds.
   * @default Date.now
   */
  readonly now?: () => number
  /** Called for every failure; searches continue with keywords only. Must not throw. */
  readonly onError?: (error: Error) => void
}

/** Vectors that arrive later. */
export interface RemoteVectors extends Required<Omit<TextVectors, 'pieces' | 'topics'>> {
  /**
   * Resolves when each document that was requested has its vector, or its request has failed. Not
   * required before a search. Never rejects.
   */
  settled(): Promise<void>
  /** Cancels all requests, which would keep a process from ending, and sends no more. */
  close(): void
}

const DOCUMENT_TIMEOUT_MS = 60_000
/** For so long after a query has timed out, searches don't wait for the embedder. */
const PAUSE_MS = 10_000
/** A longer timer would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const checkVectorsOptions = complete(
  {
    embedder: checkEmbedder,
    timeoutMs: check(
      (value) => typeof value === 'number' && value >= 0 && value <= MAX_TIMEOUT_MS,
      `use a number from 0 to ${MAX_TIMEOUT_MS}`,
    ),
    maxKept: count(),
    now: callback,
    onError: callback,
  } satisfies Record<keyof RemoteVectorsOptions, Check>,
  ['timeoutMs', 'maxKept', 'now', 'onError'],
)

/**
 * Caches the vectors of an asynchronous embedder. Vectors of documents are requested in batches in
 * the background. A failing embedder never fails a search.
 *
 * @throws InvalidOptionError
 */
export function createRemoteVectors(options: RemoteVectorsOptions): RemoteVectors {
  checkVectorsOptions(options, 'options')
  const { embedder, timeoutMs = 1_000, maxKept = 20_000 } = options
  const { now = Date.now, onError = () => {} } = options
  const { maxBatch = 96, centred = false } = embedder
  let { dimensions = 0 } = embedder
  const cache = new Map<string, Float32Array>()
  const queue = new Set<string>()
  /** Documents whose request failed. They are requested again once a query succeeds. */
  const failed = new Set<string>()
  const preparing = new Map<string, Promise<void>>()
  const listeners = new Set<(text: string) => void>()
  const running = new Set<AbortController>()
  let requesting: Promise<void> | undefined
  let isClosed = false
  let pausedUntil = 0

  return {
    id: embedder.id,
    get dimensions() {
      return dimensions
    },
    centred,
    embed(text, kind = 'document') {
      const vector = cache.get(text)
      if (vector === undefined) return kind === 'document' ? enqueue([text]) : undefined
      cache.delete(text)
      cache.set(text, vector)
      return vector
    },
    async prepare(text) {
      if (cache.has(text) || isClosed || now() < pausedUntil) return
      const pending = preparing.get(text) ?? request([text], 'query')
      preparing.set(text, pending)
      await pending
      preparing.delete(text)
      if (cache.has(text) && failed.size > 0) {
        enqueue(failed)
        failed.clear()
      }
    },
    onVector(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async settled() {
      while (requesting) await requesting
    },
    close() {
      isClosed = true
      queue.clear()
      for (const controller of running) controller.abort()
    },
  }

  function enqueue(texts: Iterable<string>): undefined {
    if (isClosed) return undefined
    for (const text of texts) queue.add(text)
    requesting ??= requestAll()
    return undefined
  }

  async function requestAll(): Promise<void> {
    try {
      // Tools often arrive together: wait for all of them before sending the first batch.
      await Promise.resolve()
      while (queue.size > 0) {
        const batch = [...queue].slice(0, maxBatch)
        await request(batch, 'document')
        for (const text of batch) queue.delete(text)
      }
    } finally {
      requesting = undefined
    }
  }

  async function request(texts: readonly string[], kind: 'query' | 'document'): Promise<void> {
    const controller = new AbortController()
    running.add(controller)
    const limit = kind === 'query' ? timeoutMs : DOCUMENT_TIMEOUT_MS
    const timer = setTimeout(() => controller.abort(), limit)
    // Nobody waits for documents, so a process that is done may end.
    if (kind === 'document') (timer as { unref?(): void }).unref?.()
    try {
      const timeout = new Promise<never>((_, reject) => {
        controller.signal.addEventListener('abort', () => {
          reject(new Error(`Embedder "${embedder.id}" did not respond within ${limit} ms.`))
        })
      })
      const answer = await Promise.race([
        embedder.embed(texts, { kind, signal: controller.signal }),
        timeout,
      ])
      if (answer.length !== texts.length) {
        throw new Error(
          `Embedder "${embedder.id}" returned the wrong number of vectors: ${answer.length} instead of ${texts.length}.`,
        )
      }
      const vectors = answer.map((values, at) => normalise(values, texts[at]!))
      for (const [at, text] of texts.entries()) {
        store(text, vectors[at]!)
        if (kind === 'document') for (const listener of listeners) listener(text)
      }
    } catch (error) {
      if (isClosed) return
      if (kind === 'document') keepFailed(texts)
      else if (controller.signal.aborted) pausedUntil = now() + PAUSE_MS
      onError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      clearTimeout(timer)
      running.delete(controller)
    }
  }

  /** Tools come and go while an embedder is down, so only the latest ones are requested again. */
  function keepFailed(texts: readonly string[]): void {
    for (const text of texts) failed.add(text)
    deleteOldest(failed, maxKept)
  }

  /** Scales a vector to the share of the text that the embedder understands. */
  function normalise(values: ArrayLike<number>, text: string): Float32Array {
    dimensions ||= values.length
    if (values.length !== dimensions) {
      throw new Error(
        `Embedder "${embedder.id}" returned a vector of the wrong length: ${values.length} instead of ${dimensions}.`,
      )
    }
    const vector = Float32Array.from(values)
    const size = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    if (!Number.isFinite(size))
      throw new Error(`Embedder "${embedder.id}" returned a vector with invalid numbers.`)
    const scale = (embedder.knownShare?.(text) ?? 1) / (size || 1)
    return vector.map((value) => value * scale)
  }

  function store(text: string, vector: Float32Array): void {
    cache.set(text, vector)
    deleteOldest(cache, maxKept)
  }
}
