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

/** Weather points one way, everything else another. */
const vectorOf = (text: string) =>
  WEATHER.some((word) => text.includes(word)) ? [3, 0, 0] : [0, 0, 2]

/** An embedder in memory that writes down how it was called. `answer` may be changed at any time. */
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

/** Lets everything happen that waits for nothing but its turn. */
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
  it('has the vector of a query once it was prepared, at unit length', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder() })
    await vectors.prepare('umbrella')
    expect(vectors).toMatchObject({ id: 'recording', dimensions: 3 })
    expect(vectors.embed('umbrella')).toEqual(Float32Array.of(1, 0, 0))
  })

  it('keeps a vector of nothing as it is', async () => {
    const embedder = recordingEmbedder(async () => [[0, 0, 0]])
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('hm')
    expect(vectors.embed('hm')).toEqual(Float32Array.of(0, 0, 0))
  })

  it('takes any kind of list of numbers for a vector', async () => {
    const embedder = recordingEmbedder(async () => [Float64Array.of(0, 0.5, 0)])
    const vectors = createRemoteVectors({ embedder })
    await vectors.prepare('hm')
    expect(vectors.embed('hm')).toEqual(Float32Array.of(0, 1, 0))
  })

  it('asks for queries as queries and for documents as documents', async () => {
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

  it('asks for the tools of a large catalogue in batches', async () => {
    const embedder = recordingEmbedder(undefined, { maxBatch: 96 })
    const vectors = createRemoteVectors({ embedder })
    const ranker = hybridRanker({ vectors })
    for (let i = 0; i < 250; i++) ranker.set(readDefinition({ name: `tool_${i}` }))
    await settled()
    expect(embedder.calls.map(({ texts }) => texts.length)).toEqual([96, 96, 58])
    expect(new Set(embedder.calls.flatMap(({ texts }) => texts)).size).toBe(250)
  })

  it('makes batches of 96 when the embedder does not say', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    for (let i = 0; i < 97; i++) vectors.embed(`text ${i}`)
    await settled()
    expect(embedder.calls.map(({ texts }) => texts.length)).toEqual([96, 1])
  })

  it('asks for what comes while it asks', async () => {
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

describe('createRemoteVectors and what it keeps', () => {
  it('asks once for one text', async () => {
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

  it('asks once for a query that two searches want at the same time', async () => {
    const embedder = recordingEmbedder()
    const vectors = createRemoteVectors({ embedder })
    await Promise.all([vectors.prepare('umbrella'), vectors.prepare('umbrella')])
    expect(embedder.calls).toHaveLength(1)
  })

  it('asks once for a text that is wanted again before its vector came', async () => {
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

  it('forgets the vector that was not used for the longest', async () => {
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

  it('keeps no more than it may', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder(), maxKept: 10 })
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    for (const text of texts) await vectors.prepare(text)
    expect(texts.toReversed().filter((text) => vectors.embed(text) !== undefined)).toHaveLength(10)
  })

  it('gives every tool its vector although fewer can be kept than come at once', async () => {
    const vectors = createRemoteVectors({ embedder: recordingEmbedder(), maxKept: 2 })
    const ranker = hybridRanker({ vectors })
    for (const name of ['aaa', 'bbb', 'ccc', 'ddd']) {
      ranker.set(readDefinition({ name, description: 'rain' }))
    }
    await settled()
    await ranker.prepare?.('umbrella')
    expect(namesOf(ranker, 'umbrella')).toEqual(['aaa', 'bbb', 'ccc', 'ddd'])
  })

  it('keeps two embedders apart', async () => {
    const one = createRemoteVectors({ embedder: recordingEmbedder() })
    const other = createRemoteVectors({ embedder: recordingEmbedder(async () => [[0, 1, 0]]) })
    await one.prepare('umbrella')
    await other.prepare('umbrella')
    expect(one.embed('umbrella')).not.toEqual(other.embed('umbrella'))
  })
})

describe('createRemoteVectors and vectors that come late', () => {
  it('tells of the documents whose vectors came, until it is told to stop', async () => {
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

  it('lets a tool be found by meaning as soon as its vector comes', async () => {
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

  it('waits for documents longer than for a query, but not for ever', async () => {
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
      expect.stringContaining('gave no answer'),
    ])
    expect(embedder.calls[0]?.signal?.aborted).toBe(true)
    expect(vectors.embed('second')).toBeDefined()
  })
})

const failures: [what: string, answer: Answer, message: RegExp][] = [
  [
    'throws at once',
    () => {
      throw new Error('no such model')
    },
    /no such model/,
  ],
  ['rejects', () => Promise.reject(new Error('out of credit')), /out of credit/],
  ['rejects with what is no error', () => Promise.reject('busy'), /busy/],
  ['hangs', never, /"recording" gave no answer within 1 ms/],
  ['gives NaN', async () => [[1, Number.NaN, 0]], /no numbers/],
  ['gives infinity', async () => [[1, Number.POSITIVE_INFINITY, 0]], /no numbers/],
  ['gives text', async () => [['a', 'b', 'c'] as unknown as number[]], /no numbers/],
  ['gives too short a vector', async () => [[1, 0]], /2 numbers instead of 3/],
  ['gives too long a vector', async () => [[1, 0, 0, 0]], /4 numbers instead of 3/],
  ['gives too few vectors', async () => [], /0 vectors for 1 texts/],
  ['gives too many vectors', async () => [vectorOf(''), vectorOf('')], /2 vectors for 1 texts/],
  ['gives no vector', async () => [null as unknown as number[]], /./],
  ['gives nothing', async () => undefined as unknown as number[][], /./],
]

describe('createRemoteVectors and an embedder that fails', () => {
  it.each(failures)(
    'searches by words when it %s, and by meaning the next time',
    async (...row) => {
      const [, answer, message] = row
      const errors: Error[] = []
      const embedder = recordingEmbedder()
      const onError = (error: Error) => void errors.push(error)
      const vectors = createRemoteVectors({ embedder, timeoutMs: 1, onError })
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
      await ranker.prepare?.('umbrella')
      expect(namesOf(ranker, 'umbrella')).toEqual(['sky'])
    },
  )

  it.each(failures)('goes on with the next batch when it %s', async (_, answer, message) => {
    vi.useFakeTimers()
    const errors: Error[] = []
    const embedder = recordingEmbedder(undefined, { maxBatch: 1 })
    embedder.answer = async (texts) => (texts[0] === 'first' ? answer(texts) : texts.map(vectorOf))
    const onError = (error: Error) => void errors.push(error)
    const vectors = createRemoteVectors({ embedder, onError })
    const heard: string[] = []
    vectors.onVector((text) => heard.push(text))
    for (const text of ['first', 'second', 'third']) vectors.embed(text)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(message.source.includes('within') ? /no answer/ : message)
    expect(heard).toEqual(['second', 'third'])
  })

  it('tells once of a search that failed', async () => {
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

  it('never asks for a query as if it were a document', async () => {
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

  it('lets tools be found by meaning that came while it was down, once it is back', async () => {
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

  it('asks again for a document that is wanted again', async () => {
    const embedder = recordingEmbedder(() => Promise.reject(new Error('busy')))
    const vectors = createRemoteVectors({ embedder })
    vectors.embed('rain')
    await settled()
    embedder.answer = async (texts) => texts.map(vectorOf)
    expect(vectors.embed('rain')).toBeUndefined()
    await settled()
    expect(vectors.embed('rain')).toEqual(Float32Array.of(1, 0, 0))
  })

  it('does without anybody to tell', async () => {
    const embedder = recordingEmbedder(() => Promise.reject(new Error('busy')))
    const vectors = createRemoteVectors({ embedder })
    await expect(vectors.prepare('umbrella')).resolves.toBeUndefined()
    expect(vectors.embed('umbrella')).toBeUndefined()
  })
})

describe('createRemoteVectors and signals', () => {
  it('gives the embedder a signal, and fires it when time is up', async () => {
    const embedder = recordingEmbedder(never)
    const vectors = createRemoteVectors({ embedder, timeoutMs: 1 })
    const prepared = vectors.prepare('umbrella')
    expect(embedder.calls[0]?.signal?.aborted).toBe(false)
    await prepared
    expect(embedder.calls[0]?.signal?.aborted).toBe(true)
  })

  it('tells once of an embedder that heeds the signal and rejects', async () => {
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
      expect.stringContaining('gave no answer'),
    ])
  })

  it('does not fire the signal of a call that was answered', async () => {
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
