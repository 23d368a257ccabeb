import { describe, expect, it } from 'vitest'
import { addSent } from './add-sent.fixtures.ts'
import { EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

const full: SessionRecord = {
  loaded: [
    { name: 'write_file', fingerprint: '1' },
    { name: 'read_file', fingerprint: '2' },
  ],
  active: true,
  sent: ['read_file', 'shell'],
  seen: 'automatic',
  announcement: '0123456789abcdef',
  announced: 'fedcba9876543210',
  notices: [{ text: 'No longer available:\n- shell', after: 'user:1' }],
}

/**
 * The contract of every store, called by the test file of each store. `create` returns an empty
 * store with the default size and without expiry.
 */
export function describeSessionStore(create: () => SessionStore | Promise<SessionStore>): void {
  describe('session store contract', () => {
    it('resolves to undefined for an unknown session', async () => {
      const store = await create()
      expect(await store.read('a')).toBeUndefined()
    })

    it('creates a session on the first update and resolves to its record', async () => {
      const store = await create()
      const record = await store.update('a', (before) => {
        expect(before).toBeUndefined()
        return full
      })
      expect(record).toEqual(full)
      expect(await store.read('a')).toEqual(full)
    })

    it('passes the stored record to the next update and stores what it returns', async () => {
      const store = await create()
      await store.update('a', () => full)
      const next = { ...EMPTY_RECORD, sent: ['shell'] }
      const record = await store.update('a', (before) => {
        expect(before).toEqual(full)
        return next
      })
      expect(record).toEqual(next)
      expect(await store.read('a')).toEqual(next)
    })

    it('changes nothing if an update returns the record it received', async () => {
      const store = await create()
      await store.update('a', () => full)
      expect(await store.update('a', (record) => record)).toEqual(full)
      expect(await store.read('a')).toEqual(full)
    })

    it('creates no session if an update of an unknown one returns undefined', async () => {
      const store = await create()
      expect(await store.update('a', (record) => record)).toBeUndefined()
      expect(await store.read('a')).toBeUndefined()
    })

    it('changes nothing if the update throws, and rejects with the same error', async () => {
      const store = await create()
      await store.update('a', () => full)
      const error = new Error('no')
      const failing = () => {
        throw error
      }
      await expect(store.update('a', failing)).rejects.toBe(error)
      await expect(store.update('unknown', failing)).rejects.toBe(error)
      expect(await store.read('a')).toEqual(full)
      expect(await store.read('unknown')).toBeUndefined()
      expect((await addSent(store, 'a', 'late'))?.sent).toContain('late')
    })

    it('keeps its own copy of a record', async () => {
      const store = await create()
      const sent = ['read_file']
      await store.update('a', () => ({ ...EMPTY_RECORD, sent }))
      sent.push('delete_everything')
      expect((await store.read('a'))?.sent).toEqual(['read_file'])
    })

    it('forgets a session, even if called twice', async () => {
      const store = await create()
      await store.update('a', () => full)
      await store.forget('a')
      expect(await store.read('a')).toBeUndefined()
      await store.forget('a')
      await store.forget('unknown')
    })

    it('starts a forgotten session empty', async () => {
      const store = await create()
      await store.update('a', () => full)
      await store.forget('a')
      expect(await addSent(store, 'a', 'y')).toEqual({ ...EMPTY_RECORD, sent: ['y'] })
    })

    it('keeps sessions separate', async () => {
      const store = await create()
      await addSent(store, 'a', 'read_file')
      await addSent(store, 'b', 'write_file')
      await store.forget('b')
      await store.update('c', () => full)
      expect(await store.read('a')).toEqual({ ...EMPTY_RECORD, sent: ['read_file'] })
    })

    it('accepts any text as an id and distinguishes similar ids', async () => {
      const store = await create()
      const ids = [
        '',
        ' ',
        '.',
        '..',
        '../a',
        '../../../../etc/passwd',
        '/etc/passwd',
        'C:\\Windows\\system32',
        'a/b',
        'a\\b',
        'a:b',
        'a',
        'A',
        'a ',
        'a\n',
        'a\0',
        'a\0b',
        'a.json',
        'CON',
        '__proto__',
        'constructor',
        '*?<>|"%$&;`',
        'é',
        'e\u0301',
        'ı',
        'İ',
        'ß',
        'ss',
        '👩‍👩‍👧',
        '👩‍👩‍👦',
        '会话',
        'x'.repeat(100_000),
        `${'x'.repeat(100_000)}y`,
      ]
      for (const [index, id] of ids.entries()) await addSent(store, id, `tool_${index}`)
      for (const [index, id] of ids.entries()) {
        expect((await store.read(id))?.sent, JSON.stringify(id.slice(0, 40))).toEqual([
          `tool_${index}`,
        ])
      }
    })

    it('accepts any text as a name, fingerprint or digest', async () => {
      const store = await create()
      const names = [
        '__proto__',
        'constructor',
        'toString',
        '"',
        '\\',
        '\n',
        '\0',
        '工具',
        '🚀',
        ' ',
      ]
      const record: SessionRecord = {
        loaded: names.map((name) => ({ name, fingerprint: name })),
        active: true,
        sent: names,
        announcement: names.join('\r\n'),
        announced: '',
      }
      expect(await store.update('a', () => record)).toEqual(record)
      expect(await store.read('a')).toEqual(record)
    })

    it('loses no concurrent update of one session', async () => {
      const store = await create()
      const names = Array.from({ length: 50 }, (_, index) => `tool_${index}`)
      await Promise.all(names.map((name) => addSent(store, 'a', name)))
      expect((await store.read('a'))?.sent.toSorted()).toEqual(names.toSorted())
    })

    it('resolves each concurrent update to a record with at least its own change', async () => {
      const store = await create()
      const names = Array.from({ length: 30 }, (_, index) => `tool_${index}`)
      const records = await Promise.all(names.map((name) => addSent(store, 'a', name)))
      for (const [index, record] of records.entries()) expect(record?.sent).toContain(names[index])
    })

    it('lets only one of two concurrent updates create a session', async () => {
      const store = await create()
      const createWith = (name: string) =>
        store.update('a', (record) => {
          if (record) throw new Error('exists')
          return { ...EMPTY_RECORD, sent: [name] }
        })
      const results = await Promise.allSettled([createWith('x'), createWith('y'), createWith('z')])
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('handles many new sessions concurrently', async () => {
      const store = await create()
      const ids = Array.from({ length: 100 }, (_, index) => `session ${index}`)
      await Promise.all(ids.map((id) => addSent(store, id, id)))
      const records = await Promise.all(ids.map((id) => store.read(id)))
      expect(records.map((record) => record?.sent)).toEqual(ids.map((id) => [id]))
    })

    it('handles concurrent reads, updates and deletions of one session', async () => {
      const store = await create()
      const steps = Array.from({ length: 40 }, (_, index) => [
        addSent(store, 'a', `tool_${index}`),
        store.read('a'),
        index % 5 === 0 ? store.forget('a') : store.update('a', () => EMPTY_RECORD),
      ])
      await Promise.all(steps.flat())
      await addSent(store, 'a', 'last')
      expect((await store.read('a'))?.sent).toContain('last')
    })
  })
}
