import { describe, expect, it } from 'vitest'
import type { SessionRecord } from './session-record.ts'
import type { SessionStore } from './session-store.ts'

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

    it('creates a session on the first append', async () => {
      const store = await create()
      const record = await store.append('a', { sent: ['read_file'] })
      expect(record).toEqual({ loaded: [], active: false, sent: ['read_file'], announced: [] })
      expect(await store.read('a')).toEqual(record)
    })

    it('resolves an append to the updated record', async () => {
      const store = await create()
      await store.append('a', { loaded: [{ name: 'read_file', fingerprint: '1' }] })
      const record = await store.append('a', { announced: ['write_file'], active: true })
      expect(record).toEqual({
        loaded: [{ name: 'read_file', fingerprint: '1' }],
        active: true,
        sent: [],
        announced: ['write_file'],
      })
    })

    it('keeps the order in which tools were loaded', async () => {
      const store = await create()
      await store.append('a', {
        loaded: [
          { name: 'write_file', fingerprint: '1' },
          { name: 'read_file', fingerprint: '2' },
        ],
      })
      await store.append('a', {
        loaded: [
          { name: 'append_file', fingerprint: '3' },
          { name: 'write_file', fingerprint: '1' },
        ],
      })
      const record = await store.read('a')
      expect(record?.loaded.map(({ name }) => name)).toEqual([
        'write_file',
        'read_file',
        'append_file',
      ])
    })

    it('updates the fingerprint of a tool that is loaded again in place', async () => {
      const store = await create()
      await store.append('a', {
        loaded: [
          { name: 'read_file', fingerprint: 'old' },
          { name: 'write_file', fingerprint: 'same' },
        ],
      })
      await store.append('a', { loaded: [{ name: 'read_file', fingerprint: 'new' }] })
      expect((await store.read('a'))?.loaded).toEqual([
        { name: 'read_file', fingerprint: 'new' },
        { name: 'write_file', fingerprint: 'same' },
      ])
    })

    it('keeps the order in which tools were first sent', async () => {
      const store = await create()
      await store.append('a', { sent: ['b', 'a'] })
      await store.append('a', { sent: ['c', 'b'] })
      expect((await store.read('a'))?.sent).toEqual(['b', 'a', 'c'])
    })

    it('never deactivates deferral', async () => {
      const store = await create()
      await store.append('a', { active: true })
      await store.append('a', { sent: ['read_file'] })
      expect((await store.read('a'))?.active).toBe(true)
    })

    it('keeps the latest announcement', async () => {
      const store = await create()
      await store.append('a', { announcement: 'first' })
      await store.append('a', { announcement: 'second' })
      await store.append('a', { active: true })
      expect((await store.read('a'))?.announcement).toBe('second')
    })

    it('distinguishes an empty announcement from none', async () => {
      const store = await create()
      await store.append('a', { announcement: 'first' })
      await store.append('a', { announcement: '' })
      expect((await store.read('a'))?.announcement).toBe('')
    })

    it('removes a withdrawn tool until it is announced again', async () => {
      const store = await create()
      await store.append('a', { announced: ['x', 'y'] })
      await store.append('a', { withdrawn: ['x', 'never announced'] })
      expect((await store.read('a'))?.announced).toEqual(['y'])
      await store.append('a', { announced: ['x'] })
      expect((await store.read('a'))?.announced).toEqual(['y', 'x'])
    })

    it('does not change the record if the same addition is repeated', async () => {
      const store = await create()
      const addition = {
        loaded: [{ name: 'read_file', fingerprint: '1' }],
        active: true,
        sent: ['read_file'],
        announcement: 'list',
        announced: ['read_file'],
      } as const
      const once = await store.append('a', addition)
      expect(await store.append('a', addition)).toEqual(once)
    })

    it('returns the complete record that was written', async () => {
      const store = await create()
      const record: SessionRecord = {
        loaded: [{ name: 'read_file', fingerprint: '1' }],
        active: true,
        sent: ['read_file', 'shell'],
        announcement: 'More tools:\n- write_file',
        announced: ['write_file'],
      }
      await store.write('a', record)
      expect(await store.read('a')).toEqual(record)
    })

    it('replaces the whole record on write', async () => {
      const store = await create()
      await store.append('a', {
        loaded: [{ name: 'read_file', fingerprint: '1' }],
        active: true,
        announcement: 'list',
        announced: ['write_file'],
      })
      const record: SessionRecord = { loaded: [], active: false, sent: ['shell'], announced: [] }
      await store.write('a', record)
      expect(await store.read('a')).toEqual(record)
    })

    it('appends to a written record', async () => {
      const store = await create()
      await store.write('a', { loaded: [], active: true, sent: ['shell'], announced: [] })
      await store.append('a', { sent: ['read_file'] })
      expect(await store.read('a')).toEqual({
        loaded: [],
        active: true,
        sent: ['shell', 'read_file'],
        announced: [],
      })
    })

    it('keeps its own copy of a written record', async () => {
      const store = await create()
      const loaded = [{ name: 'read_file', fingerprint: '1' }]
      await store.write('a', { loaded, active: false, sent: [], announced: [] })
      loaded.push({ name: 'delete_everything', fingerprint: '2' })
      expect((await store.read('a'))?.loaded).toEqual([{ name: 'read_file', fingerprint: '1' }])
    })

    it('forgets a session, even if called twice', async () => {
      const store = await create()
      await store.append('a', { active: true })
      await store.forget('a')
      expect(await store.read('a')).toBeUndefined()
      await store.forget('a')
      await store.forget('unknown')
    })

    it('starts a forgotten session empty', async () => {
      const store = await create()
      await store.append('a', { active: true, announcement: 'list', sent: ['x'] })
      await store.forget('a')
      expect(await store.append('a', { sent: ['y'] })).toEqual({
        loaded: [],
        active: false,
        sent: ['y'],
        announced: [],
      })
    })

    it('keeps sessions separate', async () => {
      const store = await create()
      await store.append('a', { loaded: [{ name: 'read_file', fingerprint: '1' }] })
      await store.append('b', { loaded: [{ name: 'write_file', fingerprint: '2' }] })
      await store.forget('b')
      await store.append('c', { active: true })
      expect(await store.read('a')).toEqual({
        loaded: [{ name: 'read_file', fingerprint: '1' }],
        active: false,
        sent: [],
        announced: [],
      })
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
      for (const [index, id] of ids.entries()) await store.append(id, { sent: [`tool_${index}`] })
      for (const [index, id] of ids.entries()) {
        expect((await store.read(id))?.sent, JSON.stringify(id.slice(0, 40))).toEqual([
          `tool_${index}`,
        ])
      }
    })

    it('accepts any text as a name, fingerprint or announcement', async () => {
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
      const record = await store.append('a', {
        loaded: names.map((name) => ({ name, fingerprint: name })),
        sent: names,
        announcement: names.join('\r\n'),
        announced: names,
      })
      expect(record.loaded.map(({ name }) => name)).toEqual(names)
      expect(record.sent).toEqual(names)
      expect(await store.read('a')).toEqual(record)
      expect((await store.read('a'))?.announcement).toBe(names.join('\r\n'))
    })

    it('loses no concurrent append to one session', async () => {
      const store = await create()
      const names = Array.from({ length: 100 }, (_, index) => `tool_${index}`)
      await Promise.all(
        names.map((name) => store.append('a', { loaded: [{ name, fingerprint: '1' }] })),
      )
      const record = await store.read('a')
      expect(record?.loaded.map(({ name }) => name).sort()).toEqual([...names].sort())
    })

    it('resolves each concurrent append to a record with at least its own addition', async () => {
      const store = await create()
      const names = Array.from({ length: 30 }, (_, index) => `tool_${index}`)
      const records = await Promise.all(names.map((name) => store.append('a', { sent: [name] })))
      for (const [index, record] of records.entries()) expect(record.sent).toContain(names[index])
    })

    it('handles many new sessions concurrently', async () => {
      const store = await create()
      const ids = Array.from({ length: 100 }, (_, index) => `session ${index}`)
      await Promise.all(ids.map((id) => store.append(id, { sent: [id] })))
      const records = await Promise.all(ids.map((id) => store.read(id)))
      expect(records.map((record) => record?.sent)).toEqual(ids.map((id) => [id]))
    })

    it('handles concurrent reads, writes and deletions of one session', async () => {
      const store = await create()
      const empty: SessionRecord = { loaded: [], active: false, sent: [], announced: [] }
      const steps = Array.from({ length: 40 }, (_, index) => [
        store.append('a', { sent: [`tool_${index}`] }),
        store.read('a'),
        index % 5 === 0 ? store.forget('a') : store.write('a', empty),
      ])
      await Promise.all(steps.flat())
      await store.append('a', { sent: ['last'] })
      expect((await store.read('a'))?.sent).toContain('last')
    })
  })
}
