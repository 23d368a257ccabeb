import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngineSearch } from '../../engine-search.ts'
import { hybridRanker } from '../../ranking/hybrid-ranker.ts'
import type { Embedder, TextVectors } from '../../semantics/embedder.ts'
import { addSent } from '../../stores/add-sent.fixtures.ts'
import { postgresStore } from '../../stores/postgres-store.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { describeCandidateEngine } from '../candidate-engine.cases.ts'
import { postgresEngine } from './postgres-engine.ts'

// Debian has no pgvector, and PGlite is PostgreSQL with it.
const pool = new PGlite({ extensions: { vector, pg_trgm } })
afterAll(() => pool.close())

let catalogues = 0
const newPrefix = () => `c${catalogues++}_`

const CONCEPTS = [
  ['leave', 'vacation', 'off'],
  ['invoice', 'bill', 'client', 'customer'],
  ['song', 'music'],
  ['forecast', 'rain', 'weather', 'umbrella'],
]

/** Words of one line have the same direction. */
const vectors: TextVectors = {
  id: 'concepts',
  dimensions: 4,
  embed(text) {
    const words = text.toLowerCase().match(/[a-z]+/g) ?? []
    const vector = new Float32Array(
      CONCEPTS.map((list) => words.filter((word) => list.includes(word)).length),
    )
    const length = Math.hypot(...vector)
    return length === 0 ? undefined : vector.map((value) => value / length)
  },
}

const tools = [
  { name: 'request_leave', description: 'Ask for days off.' },
  { name: 'send_invoice', description: 'Bill a customer.' },
  { name: 'play_song', description: 'Start the music.' },
  { name: 'get_forecast', description: 'Tells whether it will rain.' },
]

// Here, because PGlite takes seconds to start.
it('PGlite can also keep sessions, with postgresStore', async () => {
  const store = postgresStore({ pool })
  await Promise.all(['x', 'y', 'z'].map((name) => addSent(store, 'a', name)))
  expect((await store.read('a'))?.sent.toSorted()).toEqual(['x', 'y', 'z'])
})

describe('postgresEngine with pgvector', () => {
  describeCandidateEngine(async () => postgresEngine({ pool, tablePrefix: newPrefix() }))

  const requestFor = (text: string) => ({
    text,
    words: [],
    tools: 4,
    required: [],
    limit: 2,
    scope: {},
  })

  it('finds tools that share no word with the query', async () => {
    const engine = postgresEngine({ pool, tablePrefix: newPrefix(), vectors })
    await engine.put(tools)
    expect(await engine.comparesMeanings()).toBe(true)
    const find = async (text: string) => (await engine.candidates(requestFor(text)))[0]?.name
    expect(await find('vacation')).toBe('request_leave')
    expect(await find('weather')).toBe('get_forecast')
    expect(await find('')).toBeUndefined()
  })

  it('ranks like the hybrid ranker in memory', async () => {
    const engine = postgresEngine({ pool, tablePrefix: newPrefix(), vectors })
    await engine.put(tools)
    const ranker = () => hybridRanker({ vectors })
    const search = createEngineSearch({ engine, ranker })
    const inMemory = createToolSearch({ tools, ranker })
    for (const query of ['vacation next week', 'will I need an umbrella', 'bill the client']) {
      const found = await search.search(query)
      const expected = inMemory.search(query)
      const names = ({ hits, candidates }: typeof found) =>
        [...hits, ...candidates].map(({ tool }) => tool.name)
      expect(names(found)).toEqual(names(expected))
    }
  })

  it('follows changes, and keeps to the scope', async () => {
    const engine = postgresEngine({ pool, tablePrefix: newPrefix(), vectors })
    await engine.put(tools)
    await engine.put([{ name: 'play_song', description: 'Ask for vacation, holidays, days off.' }])
    await engine.remove(['request_leave'])
    const find = async (scope: object) =>
      (await engine.candidates({ ...requestFor('vacation'), scope })).map(({ name }) => name)
    expect((await find({}))[0]).toBe('play_song')
    expect(await find({ names: ['send_invoice'] })).toEqual(['send_invoice'])
    expect(await find({ sources: ['mcp:none'] })).toEqual([])
  })

  it('adds the vectors of tools that were written without', async () => {
    const tablePrefix = newPrefix()
    await postgresEngine({ pool, tablePrefix }).put(tools)
    const engine = postgresEngine({ pool, tablePrefix, vectors })
    expect(await engine.candidates(requestFor('vacation'))).toEqual([])
    expect(await engine.put(tools)).toEqual({ added: 0, replaced: 0, removed: 0 })
    expect((await engine.candidates(requestFor('vacation')))[0]?.name).toBe('request_leave')
  })

  it('accepts an embedding model that computes vectors on request', async () => {
    const batches: number[] = []
    const embedder: Embedder & { dimensions: number } = {
      id: 'letters',
      dimensions: 3,
      maxBatch: 3,
      async embed(texts) {
        batches.push(texts.length)
        return texts.map((text) => ['a', 'e', 'o'].map((each) => text.split(each).length - 1))
      },
    }
    const engine = postgresEngine({ pool, tablePrefix: newPrefix(), embedder })
    await engine.put(tools)
    expect(batches).toEqual([3, 1])
    expect(await engine.candidates(requestFor('ooo'))).toHaveLength(2)
  })
})
