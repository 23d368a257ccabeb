import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { freshDatabase } from './fresh-database.ts'
import { startPostgres } from './start-postgres.ts'

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('startPostgres', () => {
  const folders = (): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith('toolsearch-postgres-'))
  const before = new Set(folders())
  let mine: string[] = []
  const starting = startPostgres()
  afterAll(async () => (await starting).close())

  it('keeps its data while it is stopped', async () => {
    const postgres = await starting
    mine = folders().filter((name) => !before.has(name))
    const url = await postgres.freshDatabase()
    await query(url, 'create table kept (value int)')
    await postgres.stop()
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
    await postgres.start()
    expect(await query(url, 'select * from kept')).toEqual([])
  })

  it('answers nothing while it is frozen', async () => {
    const postgres = await starting
    const url = await postgres.freshDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    postgres.freeze()
    let answered = false
    const answer = client.query('select 1').then(() => {
      answered = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(answered).toBe(false)
    postgres.thaw()
    await answer
    await client.end()
  })

  it('removes its data when it is closed', async () => {
    await (await starting).close()
    expect(folders().filter((name) => mine.includes(name) && !name.includes('-of-'))).toEqual([])
  })
})

describe('freshDatabase', () => {
  it('creates an empty database each time', async () => {
    const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
    expect(one).not.toBe(other)
    await query(one, 'create table mine ()')
    await expect(query(other, 'select * from mine')).rejects.toThrow('does not exist')
  })
})
