import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolDefinition, type ToolSearch } from '../index.ts'
import { createRemoteVectors, type Embedder, hybridRanker } from '../rankers.ts'

const tools: ToolDefinition[] = [
  { name: 'sky', description: 'Tells about rain' },
  { name: 'post_office', description: 'Brings a letter to its address' },
  { name: 'player', description: 'Plays songs of a station' },
]

const CONCEPTS = [['rain', 'umbrella'], ['letter', 'correspondence'], ['songs']]

/** One dimension per concept. */
const vectorOf = (text: string) =>
  CONCEPTS.map((words) => words.filter((word) => text.toLowerCase().includes(word)).length)

type Embed = Embedder['embed']

const answerAll: Embed = async (texts) => texts.map(vectorOf)

/** Embeds documents, and uses `embedQuery` for queries. */
function answering(embedQuery: Embed): Embed {
  return (texts, options) => (options.kind === 'query' ? embedQuery : answerAll)(texts, options)
}

function hybridSearch(
  embed: Embed,
  options: { timeoutMs?: number; onError?: (error: Error) => void } = {},
): ToolSearch {
  const embedder: Embedder = { id: 'concepts', dimensions: CONCEPTS.length, embed }
  return createToolSearch({
    tools,
    activation: 'always',
    ranker: () => hybridRanker({ vectors: createRemoteVectors({ embedder, ...options }) }),
  })
}

/** Runs all pending microtasks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

async function found(search: ToolSearch, query: string): Promise<string[]> {
  const session = await search.session('a')
  const { outcome } = await session.search({ query })
  return outcome.hits.map(({ tool }) => tool.name)
}

describe('session.search with an embedder', () => {
  it('finds a tool by semantic similarity, loads it and returns it to the model', async () => {
    const search = hybridSearch(answerAll)
    await settled()
    const session = await search.session('a')
    const { outcome, answer } = await session.search({ query: 'umbrella' })
    expect(outcome.hits).toMatchObject([{ tool: { name: 'sky' }, status: 'loaded' }])
    expect(session.loaded).toEqual(['sky'])
    expect(answer.text).toContain('sky')
  })

  it('waits for the vector of the query', async () => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const search = hybridSearch(
      answering(async (texts, options) => {
        await gate
        return answerAll(texts, options)
      }),
      { timeoutMs: 60_000 },
    )
    await settled()
    const session = await search.session('a')
    let isDone = false
    const searched = session.search({ query: 'umbrella' }).finally(() => {
      isDone = true
    })
    await settled()
    expect(isDone).toBe(false)
    release()
    const { outcome } = await searched
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['sky'])
  })

  it('embeds the trimmed query', async () => {
    const asked: string[] = []
    const search = hybridSearch(
      answering((texts, options) => {
        asked.push(...texts)
        return answerAll(texts, options)
      }),
    )
    await settled()
    expect(await found(search, '  umbrella \n')).toEqual(['sky'])
    expect(asked).toEqual(['umbrella'])
  })

  it('embeds a repeated query once across sessions', async () => {
    let calls = 0
    const search = hybridSearch(
      answering((texts, options) => {
        calls++
        return answerAll(texts, options)
      }),
    )
    await settled()
    for (const id of ['a', 'b', 'a']) {
      const session = await search.session(id)
      await session.search({ query: 'umbrella' })
    }
    expect(calls).toBe(1)
  })

  it.each(['', '   ', 'select:sky,player'])(
    'does not embed %j, which is not a keyword query',
    async (query) => {
      const asked: string[] = []
      const search = hybridSearch(
        answering((texts, options) => {
          asked.push(...texts)
          return answerAll(texts, options)
        }),
      )
      await settled()
      await found(search, query)
      expect(asked).toEqual([])
    },
  )

  it('finds a tool that was added later by semantic similarity', async () => {
    const search = hybridSearch(answerAll)
    await settled()
    search.catalogue.add({ name: 'scribe', description: 'Drafts correspondence' })
    await settled()
    expect((await found(search, 'letter')).toSorted()).toEqual(['post_office', 'scribe'])
    search.catalogue.remove('post_office')
    expect(await found(search, 'letter')).toEqual(['scribe'])
  })

  it('never returns a tool the caller may not see, however similar', async () => {
    const search = hybridSearch(answerAll)
    await settled()
    const session = await search.session('a', { visible: ['player'] })
    const { outcome, answer } = await session.search({ query: 'umbrella' })
    expect(outcome.hits).toEqual([])
    expect(answer.text).not.toContain('sky')
  })

  it('explains a semantic match', async () => {
    const search = hybridSearch(answerAll)
    await settled()
    await found(search, 'umbrella')
    const { hits } = search.search('umbrella', { explain: true })
    expect(hits).toMatchObject([{ tool: { name: 'sky' }, parts: [{ match: 'semantic' }] }])
  })
})

describe('session.search with an embedder that fails', () => {
  const failures: [what: string, embed: Embed][] = [
    [
      'throws',
      () => {
        throw new Error('no such model')
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of credit'))],
    ['hangs', () => new Promise(() => {})],
    ['returns NaN', async (texts) => texts.map(() => [Number.NaN, 0, 0])],
    ['returns vectors of a different length', async (texts) => texts.map(() => [1])],
    ['returns too few vectors', async () => []],
    ['returns undefined', async () => undefined as unknown as number[][]],
  ]

  it.each(failures)('falls back to keywords when it %s for a query', async (_, embed) => {
    const errors: Error[] = []
    const onError = (error: Error) => void errors.push(error)
    const search = hybridSearch(answering(embed), { timeoutMs: 1, onError })
    await settled()
    expect(await found(search, 'letter address')).toEqual(['post_office'])
    expect(errors.length).toBeGreaterThan(0)
  })

  it.each(failures)('falls back to keywords when it %s from the start', async (_, embed) => {
    const search = hybridSearch(embed, { timeoutMs: 1 })
    for (let i = 0; i < 3; i++) {
      expect(await found(search, 'letter address')).toEqual(['post_office'])
      await settled()
    }
    expect(await found(search, 'umbrella')).toEqual([])
    expect(await found(search, 'select:player')).toEqual(['player'])
  })

  it('uses semantic similarity again after it recovers', async () => {
    let isDown = true
    const search = hybridSearch(
      answering((texts, options) => {
        if (isDown) throw new Error('down')
        return answerAll(texts, options)
      }),
    )
    await settled()
    expect(await found(search, 'umbrella')).toEqual([])
    isDown = false
    expect(await found(search, 'umbrella')).toEqual(['sky'])
  })
})
