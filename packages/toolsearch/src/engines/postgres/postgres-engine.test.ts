import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../../../testing/services/fresh-database.ts'
import { startPostgres } from '../../../../../testing/services/start-postgres.ts'
import { describeEngineSearch } from '../../engine-search.cases.ts'
import { createEngineSearch } from '../../engine-search.ts'
import { InvalidOptionError } from '../../options/invalid-option-error.ts'
import { describeCandidateEngine } from '../candidate-engine.cases.ts'
import { EngineError } from '../engine-error.ts'
import { postgresEngine } from './postgres-engine.ts'

const pools: pg.Pool[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4 })
  // Without a listener, a connection that the server closes would end the process.
  pool.on('error', () => {})
  pools.push(pool)
  return pool
}

const shared = freshDatabase().then(openPool)
let catalogues = 0
const newPrefix = () => `c${catalogues++}_`

describe('postgresEngine', () => {
  describeCandidateEngine(async () =>
    postgresEngine({ pool: await shared, tablePrefix: newPrefix() }),
  )
  describeEngineSearch(async () => postgresEngine({ pool: await shared, tablePrefix: newPrefix() }))

  it('sets itself up once, also if many processes start at the same time', async () => {
    const url = await freshDatabase()
    const engines = Array.from({ length: 6 }, () => postgresEngine({ pool: openPool(url) }))
    await Promise.all(engines.map((engine) => engine.setUp()))
    await Promise.all(engines.map((engine, at) => engine.put([{ name: `tool_${at}` }])))
    await Promise.all(engines.map((engine) => engine.setUp()))
    expect(await engines[0]!.count({})).toBe(6)
  })

  it('keeps catalogues with different prefixes apart', async () => {
    const [one, other] = [newPrefix(), newPrefix()]
    const pool = await shared
    await postgresEngine({ pool, tablePrefix: one }).put([{ name: 'a' }])
    expect(await postgresEngine({ pool, tablePrefix: other }).count({})).toBe(0)
  })

  it('shows every process what another one has changed', async () => {
    const tablePrefix = newPrefix()
    const engineOf = async () => postgresEngine({ pool: await shared, tablePrefix })
    const [writer, reader] = [await engineOf(), await engineOf()]
    const search = createEngineSearch({ engine: reader })
    const find = async (query: string) => {
      const { hits, candidates } = await search.search(query)
      return [...hits, ...candidates].map(({ tool }) => tool.description)
    }
    await writer.put([{ name: 'send_email', description: 'Send an email.' }])
    expect(await find('send email')).toEqual(['Send an email.'])
    await writer.put([{ name: 'send_email', description: 'Send an email with files.' }])
    expect(await find('send email')).toEqual(['Send an email with files.'])
    expect(await find('zeppelin')).toEqual([])
    await writer.put([{ name: 'book_zeppelin', description: 'Book a flight.' }])
    expect(await find('zeppelin')).toEqual(['Book a flight.'])
    await writer.remove(['send_email'])
    expect(await find('send email')).toEqual([])
  })

  it('returns the same object until a definition changes', async () => {
    const engine = postgresEngine({ pool: await shared, tablePrefix: newPrefix(), cache: 2 })
    await engine.put([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const get = async (name: string) => (await engine.get([name], {}))[0]
    const first = await get('a')
    expect(await get('a')).toBe(first)
    await engine.put([{ name: 'a', description: 'changed' }])
    const second = await get('a')
    expect(second).not.toBe(first)
    await engine.get(['b', 'c'], {})
    expect(await get('a')).not.toBe(second)
  })

  it('finds the right tools if only some of those with common words can be scored', async () => {
    const engine = postgresEngine({ pool: await shared, tablePrefix: newPrefix(), scored: 50 })
    const nouns = ['user', 'file', 'page', 'team', 'order', 'ticket', 'report', 'event', 'note']
    const verbs = ['get', 'list', 'create', 'delete', 'update', 'share', 'archive', 'copy']
    const places = ['acme', 'globex', 'initech', 'umbrella', 'hooli', 'stark', 'wayne']
    await engine.put(
      places.flatMap((place) =>
        verbs.flatMap((verb) =>
          nouns.map((noun) => ({
            name: `${place}__${verb}_${noun}`,
            source: `mcp:${place}` as const,
            description: `${verb} a ${noun} of the account.`,
          })),
        ),
      ),
    )
    const search = createEngineSearch({ engine })
    const find = async (query: string) =>
      (await search.search(query)).hits.map(({ tool }) => tool.name)
    expect(await find('archive a ticket')).toHaveLength(5)
    for (const name of await find('archive a ticket')) expect(name).toMatch(/__archive_ticket$/)
    expect((await find('hooli: archive ticket'))[0]).toBe('hooli__archive_ticket')
    expect(await find('select:wayne__copy_note')).toEqual(['wayne__copy_note'])
    const { hits, candidates } = await search.search('account')
    expect([...hits, ...candidates]).toHaveLength(5)
  })

  it('says that PostgreSQL is gone, and works again when it is back', async () => {
    const postgres = await startPostgres()
    try {
      const engine = postgresEngine({ pool: openPool(postgres.url) })
      const search = createEngineSearch({ engine })
      const session = await search.session('one')
      await engine.put([{ name: 'send_email', description: 'Send an email.' }])
      await session.search({ query: 'send email' })
      await postgres.stop()
      const failing: (() => Promise<unknown>)[] = [
        () => engine.put([{ name: 'a' }]),
        () => engine.count({}),
        () => search.search('send email'),
        () => session.search({ query: 'send email' }),
        () => session.turn(),
        () => postgresEngine({ pool: openPool(postgres.url) }).setUp(),
      ]
      for (const fail of failing) {
        // Only the code is promised: the message is that of the driver, which depends on the moment at
        // which the connection breaks.
        await expect(fail()).rejects.toMatchObject({ name: 'EngineError', code: 'engine_failed' })
      }
      await postgres.start()
      expect((await session.turn()).tools.map(({ name }) => name)).toEqual([
        'tool_search',
        'send_email',
      ])
      expect((await search.search('send email')).hits).toHaveLength(1)
      expect(await engine.put([{ name: 'a' }])).toMatchObject({ added: 1 })
    } finally {
      await postgres.close()
    }
  })

  it('creates its tables again if somebody removes them', async () => {
    const pool = openPool(await freshDatabase())
    const engine = postgresEngine({ pool })
    await engine.put([{ name: 'a' }])
    await pool.query(
      'DROP TABLE toolsearch_tools, toolsearch_terms, toolsearch_sources, toolsearch_engine',
    )
    await expect(engine.count({})).rejects.toThrow(EngineError)
    expect(await engine.count({})).toBe(0)
  })

  it('searches with a role that may only read', async () => {
    const url = await freshDatabase()
    const pool = openPool(url)
    await postgresEngine({ pool }).put([{ name: 'send_email', description: 'Send an email.' }])
    const role = `reader_${Date.now()}`
    await pool.query(`CREATE ROLE ${role} LOGIN`)
    await pool.query('REVOKE CREATE ON SCHEMA public FROM public')
    await pool.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
    const readerUrl = new URL(url)
    readerUrl.username = role
    const engine = postgresEngine({ pool: openPool(readerUrl.href) })
    const { hits } = await createEngineSearch({ engine }).search('send email')
    expect(hits.map(({ tool }) => tool.name)).toEqual(['send_email'])
    await expect(engine.put([{ name: 'a' }])).rejects.toThrow('permission denied')
  })

  it('refuses tables of a newer version', async () => {
    const pool = openPool(await freshDatabase())
    await postgresEngine({ pool }).setUp()
    await pool.query('UPDATE toolsearch_engine SET version = 1000')
    await expect(postgresEngine({ pool }).count({})).rejects.toThrow('newer version of toolsearch')
  })

  it('ignores rows that something else has written', async () => {
    const pool = openPool(await freshDatabase())
    const engine = postgresEngine({ pool })
    await engine.put([{ name: 'a' }, { name: 'b' }])
    await pool.query(
      `UPDATE toolsearch_tools SET definition = 'nonsense', changed = 99 WHERE name = 'a'`,
    )
    expect(await engine.get(['a', 'b'], {})).toHaveLength(1)
  })

  it('compares no meanings without pgvector', async () => {
    const vectors = { id: 'test', dimensions: 2, embed: () => new Float32Array([1, 0]) }
    const options = { pool: await shared, tablePrefix: newPrefix(), vectors }
    const engine = postgresEngine(options)
    await engine.put([{ name: 'a' }])
    expect(await engine.comparesMeanings()).toBe(false)
  })

  it('reports options that it cannot use', async () => {
    const pool = await shared
    const wrong: object[] = [
      {},
      { pool: 'postgres://localhost' },
      { pool, tablePrefix: 'x; DROP TABLE users' },
      { pool, tablePrefix: '' },
      { pool, cache: 0 },
      { pool, url: '' },
    ]
    for (const options of wrong) {
      expect(() => postgresEngine(options as never)).toThrow(InvalidOptionError)
    }
  })
})
