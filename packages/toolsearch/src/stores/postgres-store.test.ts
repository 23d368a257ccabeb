import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import { startPostgres } from '../../../../testing/services/start-postgres.ts'
import { addSent } from './add-sent.fixtures.ts'
import { type PostgresStoreOptions, postgresStore } from './postgres-store.ts'
import type { PostgresStorePool } from './postgres-table.ts'
import { describeSessionStore } from './session-store.cases.ts'
import type { SessionStore } from './session-store.ts'
import { itSharesSessions } from './shared-session.cases.ts'

let url: string
let pool: pg.Pool
let tables = 0
beforeAll(async () => {
  url = await freshDatabase()
  pool = new pg.Pool({ connectionString: url })
})
afterAll(() => pool.end())

const newTable = () => `sessions_${++tables}`

function newStore(options: Partial<PostgresStoreOptions> = {}): SessionStore {
  return postgresStore({ pool, table: newTable(), ...options })
}

const count = async (table: string) =>
  Number((await pool.query(`select count(*) from "${table}"`)).rows[0].count)

describe('postgresStore', () => {
  describeSessionStore(() => newStore())

  it('shares sessions with other stores of the same table, and with no others', async () => {
    const table = newTable()
    const record = await addSent(newStore({ table }), 'a', 'read_file')
    expect(await newStore({ table }).read('a')).toEqual(record)
    expect(await newStore().read('a')).toBeUndefined()
  })

  it('creates its table once if many stores need it at the same time', async () => {
    const table = newTable()
    const stores = Array.from({ length: 20 }, () => newStore({ table }))
    await Promise.all(stores.map((store, index) => addSent(store, `${index}`, 'x')))
    expect(await count(table)).toBe(20)
  })

  it('uses a table that exists, without the right to create one', async () => {
    const table = newTable()
    await addSent(newStore({ table }), 'a', 'x')
    const role = `agent_${Math.random().toString(36).slice(2)}`
    await pool.query(`create role ${role} login`)
    await pool.query(`grant select, insert, update, delete on "${table}" to ${role}`)
    const weakUrl = new URL(url)
    weakUrl.username = role
    const weak = new pg.Pool({ connectionString: weakUrl.href })
    const store = newStore({ pool: weak, table })
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['x', 'y'])
    await expect(addSent(newStore({ pool: weak }), 'a', 'x')).rejects.toThrow('permission denied')
    await weak.end()
  })

  it('accepts a schema, and names that need quotes', async () => {
    await pool.query('create schema "my agents"')
    const store = newStore({ table: 'my agents.so "called"; drop table x' })
    await addSent(store, 'a', 'x')
    const { rows } = await pool.query(
      "select tablename from pg_tables where schemaname = 'my agents'",
    )
    expect(rows).toEqual([{ tablename: 'so "called"; drop table x' }])
    expect((await store.read('a'))?.sent).toEqual(['x'])
  })

  it('distinguishes ids that differ only in a lone surrogate', async () => {
    const store = newStore()
    await addSent(store, '\ud800', 'one')
    await addSent(store, '\udbff', 'other')
    expect((await store.read('\ud800'))?.sent).toEqual(['one'])
  })

  it('does not mistake a forgotten session for a new one with the same id', async () => {
    const table = newTable()
    const [one, other] = [newStore({ table }), newStore({ table })]
    await addSent(one, 'a', 'old')
    let isFirst = true
    let meanwhile: Promise<unknown> = Promise.resolve()
    const slow: PostgresStorePool = {
      async query(text, values) {
        const result = await pool.query(text, values)
        if (isFirst && text.includes('select revision')) {
          isFirst = false
          meanwhile = one.forget('a').then(() => addSent(one, 'a', 'new'))
          await meanwhile
        }
        return result
      },
    }
    await addSent(newStore({ table, pool: slow }), 'a', 'late')
    expect((await other.read('a'))?.sent).toEqual(['new', 'late'])
  })

  it('starts a session empty whose record cannot be read, and says so', async () => {
    const table = newTable()
    const onWarning = vi.fn()
    const store = newStore({ table, onWarning })
    await addSent(store, 'a', 'x')
    await pool.query(`update "${table}" set session = '{"version":'`)
    expect(await store.read('a')).toBeUndefined()
    expect(onWarning.mock.calls[0]![0]).toContain('session "a"')
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['y'])
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })

  // engines/postgres/postgres-engine.pglite.deep.test.ts uses the store with PGlite.
  it('works with a single client', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const store = newStore({ pool: client })
    await Promise.all(['x', 'y', 'z'].map((name) => addSent(store, 'a', name)))
    expect((await store.read('a'))?.sent.toSorted()).toEqual(['x', 'y', 'z'])
    await client.end()
  })

  it('says what is wrong with its options', () => {
    const wrong = { url: 'postgres://localhost' } as unknown as PostgresStorePool
    expect(() => postgresStore({ pool: wrong })).toThrow('pass a pool of pg')
    expect(() => newStore({ table: '' })).toThrow('table is ""')
    expect(() => newStore({ maxSessions: 0 })).toThrow('maxSessions is 0')
  })

  it('rejects only while PostgreSQL cannot be reached', async () => {
    const own = await startPostgres()
    const ownPool = new pg.Pool({ connectionString: own.url })
    ownPool.on('error', () => {})
    const store = newStore({ pool: ownPool })
    await own.stop()
    await expect(addSent(store, 'a', 'x')).rejects.toThrow()
    await own.start()
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['y'])
    await ownPool.end()
    await own.close()
  })
})

describe('postgresStore: size and idle limits', () => {
  const age = (table: string, milliseconds: number) =>
    pool.query(
      `update "${table}" set used_at = used_at - ${milliseconds} * interval '1 millisecond'`,
    )

  it('starts a session empty that was idle for too long', async () => {
    const table = newTable()
    const store = newStore({ table, idleMs: 60_000 })
    await addSent(store, 'a', 'x')
    await age(table, 61_000)
    expect(await store.read('a')).toBeUndefined()
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['y'])
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })

  it('deletes idle sessions when another one starts', async () => {
    const table = newTable()
    await addSent(newStore({ table }), 'a', 'x')
    await addSent(newStore({ table }), 'b', 'x')
    await age(table, 3_600_000)
    await addSent(newStore({ table, idleMs: 60_000 }), 'c', 'x')
    expect(await count(table)).toBe(1)
  })

  it('counts a read as use', async () => {
    const table = newTable()
    const store = newStore({ table, idleMs: 600_000 })
    await addSent(store, 'a', 'x')
    await age(table, 500_000)
    await store.read('a')
    await age(table, 500_000)
    await store.update('a', (record) => record)
    await age(table, 500_000)
    expect(await store.read('a')).toBeDefined()
  })

  it('keeps sessions for 30 days by default, or forever', async () => {
    const table = newTable()
    await addSent(newStore({ table }), 'a', 'x')
    await age(table, 29 * 24 * 3_600_000)
    expect(await newStore({ table, idleMs: 1e9 }).read('a')).toBeUndefined()
    expect(await newStore({ table, idleMs: Number.POSITIVE_INFINITY }).read('a')).toBeDefined()
    await age(table, 31 * 24 * 3_600_000)
    expect(await newStore({ table }).read('a')).toBeUndefined()
    expect(await newStore({ table, idleMs: Number.MAX_VALUE }).read('a')).toBeDefined()
  })

  it('never exceeds its limit, deletes the least recently used and never the newest', async () => {
    const table = newTable()
    const store = newStore({ table, maxSessions: 20 })
    for (let i = 0; i < 50; i++) {
      await addSent(store, `session ${i}`, 'x')
      expect(await count(table)).toBeLessThanOrEqual(20)
      expect(await store.read(`session ${i}`)).toBeDefined()
    }
    expect(await store.read('session 0')).toBeUndefined()
    expect(await count(table)).toBeGreaterThanOrEqual(18)
  })

  it('never exceeds its limit with concurrent new sessions', async () => {
    const table = newTable()
    const store = newStore({ table, maxSessions: 10 })
    await Promise.all(Array.from({ length: 40 }, (_, index) => addSent(store, `${index}`, 'x')))
    expect(await count(table)).toBeLessThanOrEqual(10)
  })
})

describe('postgresStore in several processes', () => {
  itSharesSessions(
    () => {
      const table = newTable()
      return { store: newStore({ table }), env: { URL: url, TABLE: table } }
    },
    `
      const { default: pg } = await import('pg')
      const { postgresStore } = await import(SOURCE + '/stores/postgres-store.ts')
      const pool = new pg.Pool({ connectionString: process.env.URL })
      const store = postgresStore({ pool, table: process.env.TABLE })
      const close = () => pool.end()
    `,
  )
})
