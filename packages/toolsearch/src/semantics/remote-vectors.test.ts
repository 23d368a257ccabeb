import { afterEach, describe, expect, it, vi } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { fieldedRanker } from '../ranking/fielded-ranker.ts'
import { hybridRanker } from '../ranking/hybrid-ranker.ts'
import { namesOf, readWords } from '../ranking/ranker.cases.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { Embedder } from './embedder.ts'
import { createRemoteVectors } from './remote-vectors.ts'

interface Call {
  readonly texts: readonly string[]
  readonly kind: 'query' | 'document'
  readonly signal: AbortSignal | undefined
}

type Answer = (texts: readonly string[]) => Promise<ArrayLike<number>[]>

const WEATHER = ['rain', 'umbrella', 'storm']

/** Texts about weather point in one direction, all others in another. */
const vectorOf = (text: string) =>
  WEATHER.some((word) => text.includes(word)) ? [3, 0, 0] : [0, 0, 2]

/** An embedder in memory that records its calls. Tests may change `answer` at any time. */
function recordingEmbedder(
  answer: Answer = async (texts) => texts.map(vectorOf),
  options: { maxBatch?: number } = {},
): Embedder & { calls: Call[]; answer: Answer } {
  const calls: Call[] = []
  const embedder = {
    id: 'recording',
    dimensions: 3,
    ...options,
    calls,
    answer,
    embed(texts: readonly string[], { kind, signal }: Parameters<Embedder['embed']>[1]) {
      calls.push({ texts: [...texts], kind, signal })
      return embedder.answer(texts)
    },
  }
  return embedder
}

/** Waits until all pending microtasks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const never = () => new Promise<never>(() => {})

function fill(ranker: Ranker): Ranker {
  ranker.set(readDefinition({ name: 'sky', description: 'Tells about rain' }))
  ranker.set(readDefinition({ name: 'post_office', description: 'Brings a letter' }))
  return ranker
}

afterEach(() => {
  vi.useRealTimers()
})

describe('createRemoteVectors', () => {
  it('returns the normalised vector of a query after it was prepared', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder() })
    await vectors.prepare('umbrella')
    expect(vectors).toMatchObject({ id: 'recording', dimensions: 3 })
    expect(vectors.embed('umbrella')).toEqual(Float32Array.of(1, 0, 0))
  })

  it('leaves a zero vector unchanged', async () => {
    const embedder = recordingEmbedder(async () => [[0, 0, 0]])
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('hm')
    expect(vectors.embed('hm')).toEqual(Float32Array.of(0, 0, 0))
  })

  it('accepts any array-like list of numbers as a vector', async () => {
    const embedder = recordingEmbedder(async () => [Float64Array.of(0, 0.5, 0)])
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('hm')
    expect(vectors.embed('hm')).toEqual(Float32Array.of(0, 1, 0))
  })

  it('requests queries as queries and documents as documents', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('umbrella')
    expect(vectors.embed('Tells about rain')).toBeUndefined()
    await settled()
    expect(embedder.calls).toMatchObject([
      { kind: 'query', texts: ['umbrella'] },
      { kind: 'document', texts: ['Tells about rain'] },
    ])
  })

  it('requests the vectors of a large catalogue in batches', async () => {
    const embedder = recordingEmbedder(undefined, { maxBatch: 96 })
    const vectors = createRemoteVectors({ embedder })
    const ranker = hybridRanker({ vectors })
    for (let i = 0; i < 250; i++) ranker.set(readDefinition({ name: `tool_${i}` }))
    await settled()
    expect(embedder.calls.map(({ texts }) => texts.length)).toEqual([96, 96, 58])
    expect(new Set(embedder.calls.flatMap(({ texts }) => texts)).size).toBe(250)
  })

  it('sends batches of 96 by default', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    for (let i = 0; i < 97; i++) vectors.embed(`text ${i}`)
    await settled()
    expect(embedder.calls.map(({ texts }) => texts.length)).toEqual([96, 1])
  })

  it('requests documents that arrive during a request afterwards', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    vectors.embed('first')
    await Promise.resolve()
    await Promise.resolve()
    vectors.embed('second')
    await settled()
    vectors.embed('third')
    await settled()
    expect(embedder.calls.map(({ texts }) => texts)).toEqual([['first'], ['second'], ['third']])
  })
})

describe('settled', () => {
  it('resolves at once if nothing was requested', async () => {
    const embedder = recordingEmbedder()
    await expect(createRemoteVectors({ embedder }).settled()).resolves.toBeUndefined()
    expect(embedder.calls).toEqual([])
  })

  it('resolves when all documents have vectors, including those requested meanwhile', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder(undefined, { maxBatch: 1 }) })
    for (const text of ['rain', 'letter']) vectors.embed(text)
    const settling = vectors.settled()
    vectors.embed('storm')
    await settling
    for (const text of ['rain', 'letter', 'storm']) expect(vectors.embed(text)).toBeDefined()
  })

  it('resolves if requests fail', async () => {
    const vectors = createRemoteVectors({
      embedder: recordingEmbedder(async () => Promise.reject(new Error('offline'))),
    })
    vectors.embed('rain')
    await vectors.settled()
    expect(vectors.embed('rain')).toBeUndefined()
    await vectors.settled()
  })
})

describe('options of an embedder', () => {
  it('learns the number of dimensions from the first vector, and rejects others', async () => {
    const onError = vi.fn()
    const { dimensions: _, ...embedder } = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder, onError })
    expect(vectors.dimensions).toBe(0)
    await vectors.prepare('umbrella')
    expect(vectors.dimensions).toBe(3)
    const shorter = { ...embedder, embed: async () => [[1, 2]] }
    const others = createRemoteVectors({ embedder: { ...shorter, dimensions: 3 }, onError })
    await others.prepare('umbrella')
    expect(onError).toHaveBeenCalledWith(
      expect.objectContaining({ message: expect.stringContaining('2 instead of 3') }),
    )
  })

  it('shortens a vector to the share of the text that the embedder understands', async () => {
    const embedder = { ...recordingEmbedder(), knownShare: () => 0.25 }
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('umbrella')
    expect(vectors.embed('umbrella')).toEqual(Float32Array.of(0.25, 0, 0))
  })

  it('passes on whether vectors are to be centred', () => {
    const embedder = recordingEmbedder()
    expect(createRemoteVectors({ embedder }).centred).toBe(false)
    expect(createRemoteVectors({ embedder: { ...embedder, centred: true } }).centred).toBe(true)
  })
})

describe('cache of createRemoteVectors', () => {
  it('requests each text once', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('umbrella')
    await vectors.prepare('umbrella')
    for (const text of ['umbrella', 'rain', 'rain']) vectors.embed(text)
    await settled()
    vectors.embed('rain')
    await vectors.prepare('rain')
    await settled()
    expect(embedder.calls.map(({ texts }) => texts)).toEqual([['umbrella'], ['rain']])
  })

  it('requests a query once for two concurrent searches', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    await Promise.all([vectors.prepare('umbrella'), vectors.prepare('umbrella')])
    expect(embedder.calls).toHaveLength(1)
  })

  it('requests a text once if it is needed again before its vector arrives', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const embedder = recordingEmbedder(async (texts) => {
      await gate
      return texts.map(vectorOf)
    })
    const vectors = createRemoteVectors({ embedder })
    vectors.embed('rain')
    await settled()
    vectors.embed('rain')
    release()
    await settled()
    expect(vectors.embed('rain')).toBeDefined()
    expect(embedder.calls.map(({ texts }) => texts)).toEqual([['rain']])
  })

  it('evicts the least recently used vector', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder, maxKept: 3 })
    for (const text of ['a', 'b', 'c']) await vectors.prepare(text)
    expect(vectors.embed('a')).toBeDefined()
    await vectors.prepare('d')
    expect(['a', 'c', 'd'].map((text) => vectors.embed(text) !== undefined)).toEqual([
      ...[true, true, true],
    ])
    expect(vectors.embed('b')).toBeUndefined()
  })

  it('never exceeds its capacity', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder(), maxKept: 10 })
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    for (const text of texts) await vectors.prepare(text)
    expect(texts.toReversed().filter((text) => vectors.embed(text) !== undefined)).toHaveLength(10)
  })

  it('reports the vector of every tool even if the cache is too small for all', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder(), maxKept: 2 })
    const ranker = hybridRanker({ vectors })
    for (const name of ['aaa', 'bbb', 'ccc', 'ddd']) {
      ranker.set(readDefinition({ name, description: 'rain' }))
    }
    await settled()
    await ranker.prepare?.('umbrella')
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa', 'bbb', 'ccc', 'ddd'])
  })

  it('shares no vectors between two embedders', async () => {
    const one = createRemoteVectors({ embedder: recordingEmbedder() })
    const other = createRemoteVectors({ embedder: recordingEmbedder(async () => [[0, 1, 0]]) })
    await one.prepare('umbrella')
    await other.prepare('umbrella')
    expect(one.embed('umbrella')).not.toEqual(other.embed('umbrella'))
  })
})

describe('createRemoteVectors and documents', () => {
  it('notifies listeners of new vectors until they unsubscribe', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder() })
    const [heard, heardToo]: [string[], string[]] = [[], []]
    const stop = vectors.onVector((text) => heard.push(text))
    vectors.onVector((text) => heardToo.push(text))
    for (const text of ['a', 'b']) vectors.embed(text)
    await settled()
    stop()
    stop()
    vectors.embed('c')
    await settled()
    expect(heard).toEqual(['a', 'b'])
    expect(heardToo).toEqual(['a', 'b', 'c'])
  })

  it('makes a tool findable by meaning as soon as its vector arrives', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const embedder = recordingEmbedder(async (texts) => {
      if (!texts.includes('umbrella')) await gate
      return texts.map(vectorOf)
    })
    const ranker = fill(hybridRanker({ vectors: createRemoteVectors({ embedder }) }))
    await ranker.prepare?.('umbrella')
    expect(namesOf(ranker, 'umbrella')).toEqual([])
    expect(namesOf(ranker, 'letter')).toEqual(['post_office'])
    release()
    await settled()
    expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
  })

  it('has a longer timeout for documents than for queries', async () => {
    vi.useFakeTimers()
    const errors: Error[] = []
    const embedder = recordingEmbedder(never, { maxBatch: 1 })
    const onError = (error: Error) => void errors.push(error)
    const vectors = createRemoteVectors({ embedder, timeoutMs: 10, onError })
    vectors.embed('first')
    vectors.embed('second')
    await vi.advanceTimersByTimeAsync(59_000)
    expect(errors).toEqual([])
    embedder.answer = async (texts) => texts.map(vectorOf)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('did not respond'),
    ])
    expect(embedder.calls[0]?.signal?.aborted).toBe(true)
    expect(vectors.embed('second')).toBeDefined()
  })
})

const failures: [what: string, answer: Answer, message: RegExp][] = [
  [
    'throws',
    () => {
      throw new Error('no such model')
    },
    /no such model/,
  ],
  ['rejects', () => Promise.reject(new Error('out of credit')), /out of credit/],
  ['rejects with a string', () => Promise.reject('busy'), /busy/],
  ['hangs', never, /"recording" did not respond within 1 ms/],
  ['returns NaN', async () => [[1, Number.NaN, 0]], /invalid numbers/],
  ['returns infinity', async () => [[1, Number.POSITIVE_INFINITY, 0]], /invalid numbers/],
  ['returns strings', async () => [['a', 'b', 'c'] as unknown as number[]], /invalid numbers/],
  [
    'returns a vector that is too short',
    async () => [[1, 0]],
    /vector of the wrong length: 2 instead of 3/,
  ],
  [
    'returns a vector that is too long',
    async () => [[1, 0, 0, 0]],
    /vector of the wrong length: 4 instead of 3/,
  ],
  ['returns too few vectors', async () => [], /wrong number of vectors: 0 instead of 1/],
  [
    'returns too many vectors',
    async () => [vectorOf(''), vectorOf('')],
    /wrong number of vectors: 2 instead of 1/,
  ],
  ['returns null as a vector', async () => [null as unknown as number[]], /./],
  ['returns undefined', async () => undefined as unknown as number[][], /./],
]

describe('createRemoteVectors with a failing embedder', () => {
  it.each(failures)(
    'ranks by words if the embedder %s, and by meaning the next time',
    async (...row) => {
      const [, answer, message] = row
      const errors: Error[] = []
      const embedder = recordingEmbedder()
      const onError = (error: Error) => void errors.push(error)
      let now = 0
      const vectors = createRemoteVectors({ embedder, timeoutMs: 1, now: () => now, onError })
      const ranker = fill(hybridRanker({ vectors }))
      await settled()

      embedder.answer = answer
      await ranker.prepare?.('umbrella letter')
      expect(errors).toEqual([expect.any(Error)])
      expect(errors[0]?.message).toMatch(message)
      const options = { limit: 5, ties: 'name' } as const
      const query = readWords('umbrella letter')
      expect(ranker.rank(query, options)).toEqual(fill(fieldedRanker()).rank(query, options))

      embedder.answer = async (texts) => texts.map(vectorOf)
      now = 10_000
      await ranker.prepare?.('umbrella')
      expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
    },
  )

  it('does not wait again for a while after an embedder did not respond', async () => {
    const embedder = recordingEmbedder()
    let now = 0
    const vectors = createRemoteVectors({ embedder, timeoutMs: 1, now: () => now })
    embedder.answer = never
    await vectors.prepare('umbrella')
    embedder.answer = async (texts) => texts.map(vectorOf)
    await vectors.prepare('letter')
    expect(vectors.embed('letter', 'query')).toBeUndefined()
    now = 10_000
    await vectors.prepare('letter')
    expect(vectors.embed('letter', 'query')).toBeDefined()
  })

  it('cancels its requests when it is closed, and sends no more', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const errors: Error[] = []
    const vectors = createRemoteVectors({
      embedder: {
        id: 'silent',
        embed(_, { signal }) {
          signals.push(signal)
          return new Promise(() => {})
        },
      },
      onError: (error) => void errors.push(error),
    })
    vectors.embed('a document')
    await expect.poll(() => signals.length).toBe(1)
    vectors.close()
    expect(signals[0]!.aborted).toBe(true)
    await vectors.settled()
    vectors.embed('another document')
    await vectors.prepare('a query')
    expect(signals).toHaveLength(1)
    expect(errors).toEqual([])
  })

  it.each(failures)(
    'continues with the next batch if the embedder %s',
    async (_, answer, message) => {
      vi.useFakeTimers()
      const errors: Error[] = []
      const embedder = recordingEmbedder(undefined, { maxBatch: 1 })
      embedder.answer = async (texts) =>
        texts[0] === 'first' ? answer(texts) : texts.map(vectorOf)
      const onError = (error: Error) => void errors.push(error)
      const vectors = createRemoteVectors({ embedder, onError })
      const heard: string[] = []
      vectors.onVector((text) => heard.push(text))
      for (const text of ['first', 'second', 'third']) vectors.embed(text)
      await vi.advanceTimersByTimeAsync(61_000)
      expect(errors).toHaveLength(1)
      expect(errors[0]?.message).toMatch(
        message.source.includes('within') ? /did not respond/ : message,
      )
      expect(heard).toEqual(['second', 'third'])
    },
  )

  it('reports a failed search once', async () => {
    const errors: Error[] = []
    const embedder = recordingEmbedder()
    const onError = (error: Error) => void errors.push(error)
    const vectors = createRemoteVectors({ embedder, onError })
    const ranker = fill(hybridRanker({ vectors }))
    await settled()
    embedder.answer = () => Promise.reject(new Error('out of credit'))
    await ranker.prepare?.('umbrella')
    ranker.rank(readWords('umbrella'), { limit: 5, ties: 'name' })
    await settled()
    expect(errors).toHaveLength(1)
  })

  it('never requests a query as a document', async () => {
    const embedder = recordingEmbedder(async (texts) => {
      if (texts.includes('umbrella')) throw new Error('busy')
      return texts.map(vectorOf)
    })
    const ranker = fill(hybridRanker({ vectors: createRemoteVectors({ embedder }) }))
    await ranker.prepare?.('umbrella')
    ranker.rank(readWords('umbrella'), { limit: 5, ties: 'name' })
    await settled()
    const kinds = embedder.calls.filter(({ texts }) => texts.includes('umbrella'))
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['query']))
  })

  it('requests failed documents again once the embedder works', async () => {
    const embedder = recordingEmbedder(() => Promise.reject(new Error('connection refused')))
    const ranker = fill(hybridRanker({ vectors: createRemoteVectors({ embedder }) }))
    await settled()
    embedder.answer = async (texts) => texts.map(vectorOf)
    for (let i = 0; i < 3; i++) {
      await ranker.prepare?.('umbrella')
      ranker.rank(readWords('umbrella'), { limit: 5, ties: 'name' })
      await settled()
    }
    expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
  })

  it('requests a failed document again when it is needed again', async () => {
    const embedder = recordingEmbedder(() => Promise.reject(new Error('busy')))
    const vectors = createRemoteVectors({ embedder })
    vectors.embed('rain')
    await settled()
    embedder.answer = async (texts) => texts.map(vectorOf)
    expect(vectors.embed('rain')).toBeUndefined()
    await settled()
    expect(vectors.embed('rain')).toEqual(Float32Array.of(1, 0, 0))
  })

  it('works without an onError callback', async () => {
    const embedder = recordingEmbedder(() => Promise.reject(new Error('busy')))
    const vectors = createRemoteVectors({ embedder })
    await expect(vectors.prepare('umbrella')).resolves.toBeUndefined()
    expect(vectors.embed('umbrella')).toBeUndefined()
  })
})

describe('signals of createRemoteVectors', () => {
  it('passes the embedder a signal that fires on timeout', async () => {
    const embedder = recordingEmbedder(never)
    const vectors = createRemoteVectors({ embedder, timeoutMs: 1 })
    const prepared = vectors.prepare('umbrella')
    expect(embedder.calls[0]?.signal?.aborted).toBe(false)
    await prepared
    expect(embedder.calls[0]?.signal?.aborted).toBe(true)
  })

  it('reports a timeout once if the embedder rejects on the signal', async () => {
    const errors: Error[] = []
    const embedder = recordingEmbedder()
    embedder.answer = () =>
      new Promise((_, reject) => {
        const { signal } = embedder.calls.at(-1)!
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
    const onError = (error: Error) => void errors.push(error)
    const vectors = createRemoteVectors({ embedder, timeoutMs: 1, onError })
    await vectors.prepare('umbrella')
    await settled()
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('did not respond'),
    ])
  })

  it('does not fire the signal of a successful request', async () => {
    vi.useFakeTimers()
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder, timeoutMs: 1 })
    await vectors.prepare('umbrella')
    vectors.embed('rain')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(embedder.calls.map(({ signal }) => signal?.aborted)).toEqual([false, false])
    expect(vi.getTimerCount()).toBe(0)
  })
})
