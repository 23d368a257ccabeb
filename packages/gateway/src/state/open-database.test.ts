import { inspect } from 'node:util'
import { type Migration, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../../testing/services/fresh-database.ts'
import { startPostgres } from '../../../../testing/services/start-postgres.ts'
import type { Database } from './database.ts'
import { databaseMigrations } from './database-migrations.ts'
import { migrateDatabase } from './migrate-database.ts'
import { openDatabase } from './open-database.ts'

const opened: Database[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})

async function open(...args: Parameters<typeof openDatabase>): Promise<Database> {
  const database = await openDatabase(...args)
  opened.push(database)
  return database
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const setValue = (database: Database, name: string) =>
  database.run((queries) =>
    queries.insertInto('toolsearch_settings').values({ name, value: '{}' }).execute(),
  )

const namesIn = async (database: Database) =>
  (
    await database.run((queries) =>
      queries.selectFrom('toolsearch_settings').select('name').orderBy('name').execute(),
    )
  ).map(({ name }) => name)

const UNAVAILABLE = expect.objectContaining({ code: 'database_unavailable' })

describe('openDatabase', () => {
  it('creates the tables, and finds them the next time', async () => {
    const url = await freshDatabase()
    await setValue(await open(url), 'a')
    expect(await namesIn(await open(url))).toEqual(['a'])
  })

  it('keeps gateways apart that use different schemas of one database', async () => {
    const url = await freshDatabase()
    await query(url, 'create schema one; create schema other')
    const urlOf = (schema: string) => `${url}?options=-c%20search_path%3D${schema}`
    const [one, other] = await Promise.all([open(urlOf('one')), open(urlOf('other'))])
    await setValue(one, 'a')
    expect(await namesIn(one)).toEqual(['a'])
    expect(await namesIn(other)).toEqual([])
    expect(await namesIn(await open(urlOf('one')))).toEqual(['a'])
  })

  it('undoes a transaction that fails', async () => {
    const database = await open(await freshDatabase())
    const failing = database.transaction(async (queries) => {
      await queries.insertInto('toolsearch_settings').values({ name: 'a', value: '{}' }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await namesIn(database)).toEqual([])
  })

  it('explains a mistake in the URL without the password', async () => {
    const url = new URL(await freshDatabase())
    const wrongDatabase = new URL(url)
    wrongDatabase.pathname = 'missing'
    wrongDatabase.password = 'hunter2'
    const wrongPort = new URL(url)
    wrongPort.port = '1'
    wrongPort.password = 'hunter2'
    const urls = [wrongDatabase.href, wrongPort.href, 'postgres://me:hunter2@:bad:url', 'hunter2']
    for (const each of urls) {
      const error = await openDatabase(each).catch((error: unknown) => error)
      expect(error).toEqual(UNAVAILABLE)
      expect(inspect(error, { depth: 10 })).not.toContain('hunter2')
    }
  })
})

describe('migrations', () => {
  const addColumn: Migration = {
    up: async (db) => void (await sql`alter table toolsearch_settings add extra text`.execute(db)),
  }

  it('are applied once by replicas that start at the same time', async () => {
    const url = await freshDatabase()
    const databases = await Promise.all(Array.from({ length: 8 }, () => open(url)))
    await Promise.all(databases.map((database, index) => setValue(database, String(index))))
    expect(await namesIn(databases[0]!)).toHaveLength(8)
    const applied = await query(url, 'select name from toolsearch_migrations')
    expect(applied.map(({ name }) => name)).toEqual(Object.keys(databaseMigrations))
  })

  it('upgrade a database of an earlier version and keep its records', async () => {
    const url = await freshDatabase()
    await setValue(await open(url), 'a')
    const next = { ...databaseMigrations, '9999_next': addColumn }
    await Promise.all([migrateDatabase(url, next), migrateDatabase(url, next)])
    expect(await query(url, 'select name, extra from toolsearch_settings')).toEqual([
      { name: 'a', extra: null },
    ])
  })

  it('of a newer program do not stop an older one, whether it runs or starts', async () => {
    const url = await freshDatabase()
    const running = await open(url)
    await migrateDatabase(url, { ...databaseMigrations, '9999_next': addColumn })
    await setValue(running, 'a')
    await setValue(await open(url), 'b')
    expect(await namesIn(running)).toEqual(['a', 'b'])
  })

  it('that an older program cannot cope with stop it, and it says why', async () => {
    const url = await freshDatabase()
    await open(url)
    const incompatible: Migration = {
      async up(db) {
        await sql`drop table toolsearch_settings`.execute(db)
        await sql`update toolsearch_schema set minimum = 99`.execute(db)
      },
    }
    await migrateDatabase(url, { ...databaseMigrations, '9999_next': incompatible })
    const error = await openDatabase(url).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'database_too_new' })
    expect(String(error)).toContain('version 99')
  })

  it('that fail leave everything as it was', async () => {
    const url = await freshDatabase()
    await setValue(await open(url), 'a')
    const failing: Migration = {
      async up(db) {
        await sql`drop table toolsearch_settings`.execute(db)
        await sql`select 1/0`.execute(db)
      },
    }
    const next = { ...databaseMigrations, '9999_next': failing }
    await expect(migrateDatabase(url, next)).rejects.toThrow('division by zero')
    expect(await namesIn(await open(url))).toEqual(['a'])
  })

  it('say if the user may not create tables', async () => {
    const url = new URL(await freshDatabase())
    const role = `weak_${Math.random().toString(36).slice(2)}`
    await query(url.href, `create role ${role} login`)
    url.username = role
    const error = await openDatabase(url.href).catch((error: unknown) => error)
    expect(error).toEqual(UNAVAILABLE)
    expect(String(error)).toContain('create tables')
  })
})

describe('a database that fails', () => {
  const starting = startPostgres()
  afterAll(async () => (await starting).close())

  it('is unavailable while it is stopped, and works again afterwards', async () => {
    const postgres = await starting
    const database = await open(await postgres.freshDatabase())
    await setValue(database, 'before')
    await postgres.stop()
    await expect(setValue(database, 'during')).rejects.toEqual(UNAVAILABLE)
    expect(await database.isAvailable()).toBe(false)
    await postgres.start()
    await expect.poll(() => database.isAvailable()).toBe(true)
    await setValue(database, 'after')
    expect(await namesIn(database)).toEqual(['after', 'before'])
  })

  it('is unavailable for queries that run when it stops', async () => {
    const postgres = await starting
    const database = await open(await postgres.freshDatabase(), { statementTimeoutMs: 60_000 })
    const running = Array.from({ length: 5 }, () =>
      database.run((queries) => sql`select pg_sleep(50)`.execute(queries)),
    )
    const settled = Promise.allSettled(running)
    await expect
      .poll(() =>
        query(postgres.url, "select 1 from pg_stat_activity where query like 'select pg_sleep%'"),
      )
      .toHaveLength(5)
    await postgres.stop()
    for (const result of await settled) {
      expect(result).toEqual({ status: 'rejected', reason: UNAVAILABLE })
    }
    await postgres.start()
    await expect.poll(() => database.isAvailable()).toBe(true)
  })

  it('is unavailable while it does not answer, and works again afterwards', async () => {
    const postgres = await starting
    const options = { statementTimeoutMs: 1_000, connectTimeoutMs: 1_000 }
    const database = await open(await postgres.freshDatabase(), options)
    await setValue(database, 'before')
    postgres.freeze()
    try {
      // On an open connection, then on a new one.
      await expect(setValue(database, 'during')).rejects.toEqual(UNAVAILABLE)
      await expect(namesIn(database)).rejects.toEqual(UNAVAILABLE)
      expect(await database.isAvailable()).toBe(false)
    } finally {
      postgres.thaw()
    }
    await expect.poll(() => database.isAvailable()).toBe(true)
    await setValue(database, 'after')
    expect(await namesIn(database)).toEqual(expect.arrayContaining(['after', 'before']))
  })

  it('ends a slow query, and keeps the connection', async () => {
    const database = await open(await freshDatabase(), {
      connections: 1,
      statementTimeoutMs: 1_000,
    })
    const pid = () =>
      database.run(async (queries) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(queries)
        return rows[0]?.pid
      })
    const before = await pid()
    await expect(
      database.run((queries) => sql`select pg_sleep(50)`.execute(queries)),
    ).rejects.toMatchObject({ reason: 'A query took too long.' })
    expect(await pid()).toBe(before)
  })

  it('does not wait long for a lock of another transaction', async () => {
    const url = await freshDatabase()
    const database = await open(url, { statementTimeoutMs: 1_000 })
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('begin; lock table toolsearch_settings in access exclusive mode')
    await expect(setValue(database, 'a')).rejects.toMatchObject({
      reason: expect.stringContaining('holds a lock'),
    })
    await other.query('rollback')
    await other.end()
    await setValue(database, 'b')
  })

  it('ends the transaction of a process that is frozen in it', async () => {
    const url = await freshDatabase()
    const database = await open(url, { statementTimeoutMs: 1_000 })
    const name = 'a'
    await setValue(database, name)
    let thaw: (() => void) | undefined
    const frozen = database.transaction(async (queries) => {
      await queries.updateTable('toolsearch_settings').set({ value: '[1]' }).execute()
      await new Promise<void>((resolve) => {
        thaw = resolve
      })
      await queries.updateTable('toolsearch_settings').set({ value: '[2]' }).execute()
    })
    const settled = Promise.allSettled([frozen])
    await expect.poll(() => thaw).toBeDefined()
    await expect
      .poll(() =>
        database
          .run((queries) =>
            queries.updateTable('toolsearch_settings').set({ value: '[3]' }).execute(),
          )
          .then(
            () => 'written',
            () => 'waiting',
          ),
      )
      .toBe('written')
    thaw!()
    expect(await settled).toEqual([{ status: 'rejected', reason: UNAVAILABLE }])
    const rows = await database.run((queries) =>
      queries.selectFrom('toolsearch_settings').select('value').execute(),
    )
    expect(rows).toEqual([{ value: [3] }])
  })

  it.each([
    ['full', '53100', 'disk is full'],
    ['out of memory', '53200', 'run out of resources'],
    ['read-only', '25006', 'read-only'],
    ['without permission', '42501', 'permissions'],
  ])('is unavailable while it is %s', async (_, state, reason) => {
    const url = await freshDatabase()
    const database = await open(url)
    await query(
      url,
      `create function refuse() returns trigger language plpgsql as $$
         begin raise exception 'no' using errcode = '${state}'; end $$;
       create trigger refuse before insert on toolsearch_settings
         for each row execute function refuse()`,
    )
    const error = await setValue(database, 'a').catch((error: unknown) => error)
    expect(error).toEqual(UNAVAILABLE)
    expect(String(error)).toContain(reason)
    await query(url, 'drop trigger refuse on toolsearch_settings')
    await setValue(database, 'a')
  })

  it('is unavailable for requests beyond those that may wait for a connection', async () => {
    const database = await open(await freshDatabase(), { connections: 1 })
    const results = await Promise.allSettled(
      Array.from({ length: 1_100 }, () =>
        database.run((queries) => sql`select 1`.execute(queries)),
      ),
    )
    const rejected = results.filter(({ status }) => status === 'rejected')
    expect(rejected.length).toBeGreaterThan(50)
    for (const result of rejected) expect(result).toMatchObject({ reason: UNAVAILABLE })
    expect(results.length - rejected.length).toBeGreaterThan(0)
  })
})
