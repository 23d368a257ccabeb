import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { describeAccountRecords } from './account-records.cases.ts'
import type { AccountRecord } from './account-records.ts'
import { createPostgresAccountRecords } from './postgres-account-records.ts'

describe('createPostgresAccountRecords', () => {
  describeAccountRecords(async () => {
    const [one, other] = await openReplicas()
    return [
      createPostgresAccountRecords(one.database),
      createPostgresAccountRecords(other.database),
    ]
  })

  it('goes through more records than it reads at once, each once', async () => {
    const [{ database }] = await openReplicas()
    const records = createPostgresAccountRecords(database)
    const people = Array.from({ length: 450 }, (_, index) => `person ${index}`)
    for (const person of people) {
      const key = { person, server: 'crm', url: '' }
      await records.write({ ...key, revision: randomUUID(), updatedAt: 0, sealed: {} }, undefined)
    }
    const found: AccountRecord[] = []
    for await (const record of records.all()) found.push(record)
    expect(found.map(({ person }) => person).sort()).toEqual(people.sort())
  })

  it('keeps people apart, whatever their id contains', async () => {
    const [{ database }] = await openReplicas()
    const records = createPostgresAccountRecords(database)
    const people = ["' or 1=1 --", '%', '_', 'a\0b', 'x'.repeat(50_000), '\ud800']
    for (const person of people) {
      const key = { person, server: 'crm', url: '' }
      await records.write({ ...key, revision: randomUUID(), updatedAt: 0, sealed: {} }, undefined)
    }
    for (const person of people) {
      expect((await records.list(person)).map((record) => record.person)).toEqual([person])
    }
    expect(await records.removeAll("' or 1=1 --")).toBe(1)
    expect(await records.list('%')).toHaveLength(1)
  })
})
