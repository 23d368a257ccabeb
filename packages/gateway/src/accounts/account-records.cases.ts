import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AccountKey, AccountRecord, AccountRecords } from './account-records.ts'

const ALICE = 'https%3A%2F%2Fidp.example alice'
const BOB = 'https%3A%2F%2Fidp.example bob'

function record(key: Partial<AccountKey> = {}, text = 'sealed'): AccountRecord {
  return {
    person: ALICE,
    server: 'crm',
    url: 'https://crm.example/mcp',
    ...key,
    revision: randomUUID(),
    updatedAt: 1_700_000_000_000,
    sealed: { signIn: text },
  }
}

/**
 * The contract of every implementation.
 *
 * @param open opens the same empty storage twice for each test, as two processes would
 */
export function describeAccountRecords(
  open: () => Promise<readonly [AccountRecords, AccountRecords]>,
): void {
  describe('account records contract', () => {
    it('stores a record that every process can read', async () => {
      const [one, other] = await open()
      const stored = record()
      expect(await one.read(stored)).toBeUndefined()
      expect(await one.write(stored, undefined)).toBe(true)
      expect(await other.read(stored)).toEqual(stored)
    })

    it('keeps people, names and URLs apart', async () => {
      const [one] = await open()
      const records = [
        record({}, 'a'),
        record({ person: BOB }, 'b'),
        record({ server: 'wiki' }, 'c'),
        record({ url: 'https://crm.example/other' }, 'd'),
        record({ url: '' }, 'e'),
      ]
      for (const each of records) expect(await one.write(each, undefined)).toBe(true)
      for (const each of records) expect(await one.read(each)).toEqual(each)
    })

    it('keeps names apart that differ in case, punctuation and characters of other scripts', async () => {
      const [one] = await open()
      const names = ['crm', 'CRM', 'c/rm', '../crm', "c'rm", 'крм', 'c rm', 'c%rm', 'c\u0301rm']
      const records = names.flatMap((name) => [record({ server: name }), record({ person: name })])
      for (const each of records) expect(await one.write(each, undefined)).toBe(true)
      for (const each of records) expect(await one.read(each)).toEqual(each)
      expect(await one.list('крм')).toHaveLength(1)
    })

    it('replaces a record only if it is the one that was read', async () => {
      const [one, other] = await open()
      const first = record({}, 'first')
      const second = record({}, 'second')
      const late = record({}, 'late')
      await one.write(first, undefined)
      expect(await other.write(second, first.revision)).toBe(true)
      expect(await one.write(late, first.revision)).toBe(false)
      expect(await one.write(late, undefined)).toBe(false)
      expect(await one.read(first)).toEqual(second)
    })

    it('does not mistake an account that was removed and connected again for the old one', async () => {
      const [one, other] = await open()
      const before = record({}, 'before')
      const after = record({}, 'after')
      await one.write(before, undefined)
      await other.remove(before)
      expect(await one.write(record({}, 'late'), before.revision)).toBe(false)
      expect(await one.read(before)).toBeUndefined()
      await other.write(after, undefined)
      expect(await one.write(record({}, 'late'), before.revision)).toBe(false)
      expect(await one.read(before)).toEqual(after)
    })

    it('lets one of several concurrent writes win', async () => {
      const [one, other] = await open()
      const first = record({}, '0')
      await one.write(first, undefined)
      const writes = Array.from({ length: 10 }, (_, index) => ({
        records: index % 2 ? one : other,
        next: record({}, String(index + 1)),
      }))
      const results = await Promise.all(
        writes.map(({ records, next }) => records.write(next, first.revision)),
      )
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await one.read(first)).toEqual(writes[results.indexOf(true)]!.next)
    })

    it('lists the accounts of one person, by server', async () => {
      const [one, other] = await open()
      const wiki = record({ server: 'wiki' })
      const crm = record({ server: 'crm' })
      for (const each of [wiki, crm, record({ person: BOB })]) await one.write(each, undefined)
      expect(await other.list(ALICE)).toEqual([crm, wiki])
      expect(await other.list('nobody')).toEqual([])
    })

    it('removes one account, or all accounts of a person', async () => {
      const [one, other] = await open()
      const records = [record(), record({ server: 'wiki' }), record({ server: 'mail' })]
      const bobs = record({ person: BOB })
      for (const each of [...records, bobs]) await one.write(each, undefined)
      expect(await other.remove(records[0]!)).toBe(true)
      expect(await other.remove(records[0]!)).toBe(false)
      expect(await one.read(records[0]!)).toBeUndefined()
      expect(await other.removeAll(ALICE)).toBe(2)
      expect(await one.list(ALICE)).toEqual([])
      expect(await one.read(bobs)).toEqual(bobs)
    })

    it('goes through every record', async () => {
      const [one] = await open()
      const records = [record(), record({ server: 'wiki' }), record({ person: BOB })]
      for (const each of records) await one.write(each, undefined)
      const found: AccountRecord[] = []
      for await (const each of one.all()) found.push(each)
      const byRevision = (a: AccountRecord, b: AccountRecord) => (a.revision < b.revision ? -1 : 1)
      expect(found.sort(byRevision)).toEqual(records.sort(byRevision))
    })
  })
}
