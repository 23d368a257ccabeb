import type { Embedder, TextVectors } from './embedder.ts'

export interface RemoteVectorsOptions {
  readonly embedder: Embedder
  /**
   * How long a search waits for the vector of its query before it goes on without.
   * @default 1_000
   */
  readonly timeoutMs?: number
  /**
   * How many vectors are kept. One more, and the one not used for the longest is forgotten.
   * @default 20_000
   */
  readonly maxKept?: number
  /** Told of every failure; searches go on by words alone. Must not throw. */
  readonly onError?: (error: Error) => void
}

const DOCUMENT_TIMEOUT_MS = 60_000

/**
 * Vectors of an embedder that answers later: kept, asked for in batches, and done without when
 * they do not come. A failing embedder never fails a search.
 */
export function createRemoteVectors({
  embedder,
  timeoutMs = 1_000,
  maxKept = 20_000,
  onError = () => {},
}: RemoteVectorsOptions): Required<Omit<TextVectors, 'pieces' | 'topics'>> {
  const { dimensions, maxBatch = 96 } = embedder
  const kept = new Map<string, Float32Array>()
  const wanted = new Set<string>()
  /** Documents that were asked for in vain: once a query succeeds, they are worth another try. */
  const failed = new Set<string>()
  const preparing = new Map<string, Promise<void>>()
  const listeners = new Set<(text: string) => void>()
  let isAsking = false

  return {
    id: embedder.id,
    dimensions,
    embed(text, kind = 'document') {
      const vector = kept.get(text)
      if (vector === undefined) return kind === 'document' ? want([text]) : undefined
      kept.delete(text)
      kept.set(text, vector)
      return vector
    },
    async prepare(text) {
      if (kept.has(text)) return
      const pending = preparing.get(text) ?? ask([text], 'query')
      preparing.set(text, pending)
      await pending
      preparing.delete(text)
      if (kept.has(text) && failed.size > 0) {
        want(failed)
        failed.clear()
      }
    },
    onVector(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  function want(texts: Iterable<string>): undefined {
    for (const text of texts) wanted.add(text)
    if (!isAsking) void askForAll()
    return undefined
  }

  async function askForAll(): Promise<void> {
    isAsking = true
    try {
      // many tools come at once: let them all come before the first batch is sent
      await Promise.resolve()
      while (wanted.size > 0) {
        const batch = [...wanted].slice(0, maxBatch)
        await ask(batch, 'document')
        for (const text of batch) wanted.delete(text)
      }
    } finally {
      isAsking = false
    }
  }

  async function ask(texts: readonly string[], kind: 'query' | 'document'): Promise<void> {
    const controller = new AbortController()
    const limit = kind === 'query' ? timeoutMs : DOCUMENT_TIMEOUT_MS
    const timer = setTimeout(() => controller.abort(), limit)
    try {
      const late = new Promise<never>((_, reject) => {
        controller.signal.addEventListener('abort', () => {
          reject(new Error(`Embedder "${embedder.id}" gave no answer within ${limit} ms.`))
        })
      })
      const answer = await Promise.race([
        embedder.embed(texts, { kind, signal: controller.signal }),
        late,
      ])
      if (answer.length !== texts.length) {
        throw new Error(
          `Embedder "${embedder.id}" gave ${answer.length} vectors for ${texts.length} texts.`,
        )
      }
      const vectors = answer.map(checked)
      for (const [at, text] of texts.entries()) {
        keep(text, vectors[at]!)
        if (kind === 'document') for (const listener of listeners) listener(text)
      }
    } catch (error) {
      if (kind === 'document') for (const text of texts) failed.add(text)
      onError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      clearTimeout(timer)
    }
  }

  function checked(values: ArrayLike<number>): Float32Array {
    if (values.length !== dimensions) {
      throw new Error(
        `Embedder "${embedder.id}" gave a vector of ${values.length} numbers instead of ${dimensions}.`,
      )
    }
    const vector = Float32Array.from(values)
    const size = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    if (!Number.isFinite(size))
      throw new Error(`Embedder "${embedder.id}" gave a vector with no numbers.`)
    return size === 0 ? vector : vector.map((value) => value / size)
  }

  function keep(text: string, vector: Float32Array): void {
    kept.set(text, vector)
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
  }
}
