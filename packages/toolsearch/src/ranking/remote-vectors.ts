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

/**
 * Vectors of an embedder that answers later: kept, asked for in batches, and done without when
 * they do not come. A failing embedder never fails a search.
 */
export function createRemoteVectors({
  embedder,
  timeoutMs = 1_000,
  maxKept = 20_000,
  onError = () => {},
}: RemoteVectorsOptions): Required<Omit<TextVectors, 'pieces'>> {
  const { dimensions, maxBatch = 96 } = embedder
  const kept = new Map<string, Float32Array>()
  const wanted = new Set<string>()
  const listeners = new Set<(text: string) => void>()
  let isAsking = false

  return {
    id: embedder.id,
    dimensions,
    embed(text) {
      const vector = kept.get(text)
      if (vector === undefined) return want(text)
      kept.delete(text)
      kept.set(text, vector)
      return vector
    },
    async prepare(text) {
      if (!kept.has(text)) await ask([text], 'query')
    },
    onVector(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  function want(text: string): undefined {
    wanted.add(text)
    if (!isAsking) void askForAll()
    return undefined
  }

  async function askForAll(): Promise<void> {
    isAsking = true
    // many tools come at once: let them all come before the first batch is sent
    await Promise.resolve()
    while (wanted.size > 0) {
      const batch = [...wanted].slice(0, maxBatch)
      for (const text of batch) wanted.delete(text)
      await ask(batch, 'document')
      for (const text of batch) if (kept.has(text)) for (const listener of listeners) listener(text)
    }
    isAsking = false
  }

  async function ask(texts: readonly string[], kind: 'query' | 'document'): Promise<void> {
    const controller = new AbortController()
    const limit = kind === 'query' ? timeoutMs : 60_000
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
      for (const [at, text] of texts.entries()) keep(text, checked(answer[at]!))
    } catch (error) {
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
