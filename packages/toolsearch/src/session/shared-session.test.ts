import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMemoryStore, createToolSearch, type Session, type ToolDefinition } from '../index.ts'
import { createFileStore } from '../stores/file-store.ts'
import { SessionExistsError } from '../stores/session-exists-error.ts'

const tools: ToolDefinition[] = ['t_1', 't_2', 't_3'].map((name) => ({ name }))
const always = { activation: 'always' } as const

const root = mkdtempSync(join(tmpdir(), 'toolsearch-shared-'))

const stores = [
  ['memory', () => createMemoryStore()],
  ['file', () => createFileStore({ folder: mkdtempSync(join(root, 'store-')) })],
] as const

describe.each(stores)('two session objects of one conversation, %s store', (_, createStore) => {
  async function openTwice(options = {}): Promise<{ a: Session; b: Session }> {
    const store = createStore()
    // two instances, like two processes
    const open = () => createToolSearch({ tools, store, ...always, ...options }).session('chat')
    return { a: await open(), b: await open() }
  }

  it('keeps loads made by another session object when a conversation is compacted', async () => {
    const { a, b } = await openTwice()
    await b.load(['t_1'])
    await a.compacted()
    expect(a.loaded).toEqual(['t_1'])
    expect((await b.turn()).tools.map(({ name }) => name)).toContain('t_1')
  })

  it('forks with the loads made by another session object', async () => {
    const { a, b } = await openTwice()
    await b.load(['t_1'])
    expect((await a.fork('child', { loaded: true })).loaded).toEqual(['t_1'])
  })

  it('takes a snapshot with the loads made by another session object', async () => {
    const { a, b } = await openTwice()
    await b.load(['t_1'])
    expect((await a.snapshot()).record.loaded.map(({ name }) => name)).toEqual(['t_1'])
  })

  it('keeps what another session object announced when a conversation is rebuilt', async () => {
    const { a, b } = await openTwice()
    const { system } = await b.turn()
    await a.rebuild([])
    expect(await a.turn()).toMatchObject({ system })
    expect((await b.snapshot()).record).toEqual((await a.snapshot()).record)
  })

  it('reports a tool as loaded to one and as already loaded to the other of two searches', async () => {
    const { a, b } = await openTwice()
    const outcomes = await Promise.all([
      a.search({ query: 'select:t_1,t_2' }),
      b.search({ query: 'select:t_2,t_1' }),
    ])
    const statuses = outcomes.flatMap(({ outcome }) =>
      outcome.hits.map(({ tool, status }) => `${tool.name} ${status}`),
    )
    expect(statuses.toSorted()).toEqual([
      't_1 already-loaded',
      't_1 loaded',
      't_2 already-loaded',
      't_2 loaded',
    ])
  })

  it('knows in the next answer which tools another session object loaded', async () => {
    const { a, b } = await openTwice()
    await a.turn()
    await b.load(['t_1'])
    expect(await a.answer({ name: 't_1', arguments: {} })).toMatchObject({ kind: 'run' })
  })

  it('rejects a fork onto an existing session, including itself, and changes nothing', async () => {
    const { a, b } = await openTwice()
    await a.load(['t_1'])
    const other = await a.fork('other', { loaded: true })
    await other.load(['t_2'])
    for (const id of ['other', 'chat']) {
      const error = await b.fork(id).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(SessionExistsError)
      expect(error).toMatchObject({ code: 'session_exists', id })
      expect((error as Error).message).toContain('toolSearch.session(id)')
    }
    expect((await other.snapshot()).record.loaded).toHaveLength(2)
    expect((await a.snapshot()).record.loaded).toHaveLength(1)
  })
})

describe('searches of one session', () => {
  it('report a tool as loaded once when two parallel searches select it', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const [a, b] = [await toolSearch.session('chat'), await toolSearch.session('chat')]
    const query = 'select:t_1'
    const outcomes = await Promise.all([a.search({ query }), b.search({ query })])
    expect(outcomes.map(({ outcome }) => outcome.hits[0]!.status)).toEqual([
      'loaded',
      'already-loaded',
    ])
  })

  it('run in the order of the calls, even if a later one is prepared first', async () => {
    const release: (() => void)[] = []
    const toolSearch = createToolSearch({
      tools,
      ...always,
      ranker: () => ({
        name: 'none',
        set() {},
        delete() {},
        rank: () => ({ hits: [] }),
        prepare: () => new Promise((resolve) => release.push(() => resolve(undefined))),
      }),
    })
    const session = await toolSearch.session('chat')
    const finished: string[] = []
    const searches = ['first words', 'second words'].map(async (query) => {
      await session.search({ query })
      finished.push(query)
    })
    expect(release).toHaveLength(2)
    release[1]!()
    release[0]!()
    await Promise.all(searches)
    expect(finished).toEqual(['first words', 'second words'])
  })

  it('continue after one of them fails', async () => {
    const memory = createMemoryStore()
    let isBroken = true
    const store = {
      ...memory,
      update: (...step: Parameters<typeof memory.update>) =>
        isBroken ? Promise.reject(new Error('disk full')) : memory.update(...step),
    }
    const session = await createToolSearch({ tools, store, ...always }).session('chat')
    await expect(session.search({ query: 'select:t_1' })).rejects.toThrow('disk full')
    isBroken = false
    const { outcome } = await session.search({ query: 'select:t_1' })
    expect(outcome.hits[0]!.status).toBe('loaded')
  })
})
