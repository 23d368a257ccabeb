import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { addSent } from './add-sent.fixtures.ts'
import { createFileStore } from './file-store.ts'
import { runScript } from './run-script.fixtures.ts'
import { describeSessionStore } from './session-store.cases.ts'
import { itSharesSessions } from './shared-session.cases.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-file-store-'))

function newFolder(): string {
  return mkdtempSync(join(root, 'store-'))
}

/** The paths of all files below a folder, relative to it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

describe('createFileStore', () => {
  describeSessionStore(() => createFileStore({ folder: newFolder() }))

  it('reads what an earlier store wrote to the same folder', async () => {
    const folder = newFolder()
    const record = await addSent(createFileStore({ folder }), 'a', 'read_file')
    expect(await createFileStore({ folder }).read('a')).toEqual(record)
  })

  it('creates its folder and all parent folders on the first write', async () => {
    const folder = join(newFolder(), 'not', 'there', 'yet')
    const store = createFileStore({ folder })
    expect(await store.read('a')).toBeUndefined()
    await store.forget('a')
    await addSent(store, 'a', 'x')
    expect((await store.read('a'))?.sent).toEqual(['x'])
  })

  it('never writes outside its folder, whatever the id', async () => {
    const outside = newFolder()
    const folder = join(outside, 'sessions')
    const store = createFileStore({ folder })
    const ids = ['../escaped', '../../escaped', join(outside, 'absolute'), '..', '.', 'a/../../b']
    for (const id of ids) await addSent(store, id, 'x')
    expect(readdirSync(outside)).toEqual(['sessions'])
    expect(readdirSync(folder)).toHaveLength(ids.length)
  })

  it('never deletes outside its folder, whatever the id', async () => {
    const outside = newFolder()
    writeFileSync(join(outside, 'precious.json'), '{}')
    const store = createFileStore({ folder: join(outside, 'sessions') })
    await addSent(store, 'a', 'x')
    for (const id of ['../precious', '../precious.json', join(outside, 'precious.json')]) {
      await store.read(id)
      await store.forget(id)
    }
    expect(readFileSync(join(outside, 'precious.json'), 'utf8')).toBe('{}')
  })

  it('distinguishes ids that differ only in a lone surrogate', async () => {
    const store = createFileStore({ folder: newFolder() })
    await addSent(store, '\ud800', 'one')
    await addSent(store, '\udbff', 'other')
    expect((await store.read('\ud800'))?.sent).toEqual(['one'])
  })

  it('leaves exactly one file per session', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    for (let i = 0; i < 10; i++) await addSent(store, 'a', `tool_${i}`)
    expect(filesIn(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{32}.10\.json$/)])
  })

  it('does not write if nothing changes', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    await store.update('a', (record) => record)
    expect(readdirSync(folder)).toEqual([])
    await addSent(store, 'a', 'x')
    const before = filesIn(folder)
    await store.update('a', (record) => record)
    expect(filesIn(folder)).toEqual(before)
  })

  it('deletes the folder of a forgotten session', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    await addSent(store, 'a', 'x')
    await store.forget('a')
    expect(readdirSync(folder)).toEqual([])
  })

  it('completes a long write even if a short one finishes first', async () => {
    const store = createFileStore({ folder: newFolder() })
    const name = 'x'.repeat(5_000_000)
    await Promise.all([addSent(store, 'long', name), addSent(store, 'short', 'x')])
    expect((await store.read('long'))?.sent).toEqual([name])
    expect(await store.read('short')).toBeDefined()
  })

  it('rejects only the failing operation if the storage fails', async () => {
    const folder = join(newFolder(), 'sessions')
    const store = createFileStore({ folder })
    writeFileSync(folder, 'a file where the folder should be')
    await expect(addSent(store, 'a', 'x')).rejects.toThrow()
    rmSync(folder)
    await addSent(store, 'a', 'y')
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })
})

describe('createFileStore after a crash', () => {
  it('reads the old record and deletes a draft that was abandoned long ago', async () => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    const draft = join(folder, readdirSync(folder)[0]!, '0b7c.draft')
    writeFileSync(draft, '{"version":2,"id":"a","rec')
    const longAgo = Date.now() / 1000 - 7_200
    utimesSync(draft, longAgo, longAgo)
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    expect((await store.read('a'))?.sent).toEqual(['x'])
    await addSent(store, 'a', 'y')
    expect(filesIn(folder)).toEqual([expect.stringMatching(/json$/)])
    expect(onWarning).not.toHaveBeenCalled()
  })

  it('keeps the draft that another process may be writing', async () => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    writeFileSync(join(folder, readdirSync(folder)[0]!, '0b7c.draft'), '{')
    const store = createFileStore({ folder })
    await addSent(store, 'a', 'y')
    await addSent(store, 'b', 'y')
    expect(filesIn(folder).filter((name) => name.endsWith('.draft'))).toHaveLength(1)
  })

  it('reads the highest version if a crash left an older one', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    await addSent(store, 'a', 'x')
    const [session] = readdirSync(folder)
    const first = readFileSync(join(folder, session!, '1.json'))
    for (let i = 0; i < 9; i++) await addSent(store, 'a', `tool_${i}`)
    writeFileSync(join(folder, session!, '9.json'), first)
    expect((await store.read('a'))?.sent).toHaveLength(10)
    expect((await addSent(store, 'a', 'y'))?.sent).toHaveLength(11)
    expect(filesIn(folder)).toHaveLength(1)
  })

  it('keeps every confirmed write after a SIGKILL during a write', async () => {
    const folder = newFolder()
    const child = runScript(writeForever, { FOLDER: folder })
    const exit = once(child, 'exit')
    const confirmed: { id: string; name: string }[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      confirmed.push(JSON.parse(line))
      if (confirmed.length === 60) child.kill('SIGKILL')
    }
    expect(await exit).toEqual([null, 'SIGKILL'])

    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    for (const { id, name } of confirmed) expect((await store.read(id))?.sent).toContain(name)
    const last = confirmed.findLast(({ id }) => id === 'session 0')!
    const after = await addSent(store, 'session 0', 'after the crash')
    expect(after?.sent).toEqual(expect.arrayContaining([last.name, 'after the crash']))
    expect(onWarning).not.toHaveBeenCalled()
  })

  const writeForever = `
    const { createFileStore } = await import(SOURCE + '/stores/file-store.ts')
    const { addSent } = await import(SOURCE + '/stores/add-sent.fixtures.ts')
    const store = createFileStore({ folder: process.env.FOLDER })
    const write = async (id) => {
      for (let i = 0; ; i++) {
        const name = 'tool_' + i + '_' + 'x'.repeat(2000)
        await addSent(store, id, name)
        process.stdout.write(JSON.stringify({ id, name }) + '\\n')
      }
    }
    await Promise.all([0, 1, 2, 3].map((index) => write('session ' + index)))
  `
})

describe('createFileStore in several processes', () => {
  itSharesSessions(
    () => {
      const folder = newFolder()
      return {
        store: createFileStore({ folder }),
        env: { FOLDER: folder },
        check: () => expect(filesIn(folder)).toHaveLength(1),
      }
    },
    `
      const { createFileStore } = await import(SOURCE + '/stores/file-store.ts')
      const store = createFileStore({ folder: process.env.FOLDER })
      const close = () => {}
    `,
  )
})

describe('createFileStore with an unreadable file', () => {
  it.each([
    ['empty', ''],
    ['truncated', '{"version":2,"id":"a","record":{"loaded":[{"na'],
    ['not JSON', '\0\0\0\0'],
    ['null', 'null'],
    ['not an object', '[1,2,3]'],
    ['of a different version', '{"version":1,"id":"a","record":{}}'],
    ['incomplete', '{"version":2,"id":"a","record":{"active":true}}'],
  ])('renames a file that is %s, warns, and starts empty', async (_, text) => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    const [file] = filesIn(folder)
    writeFileSync(join(folder, file!), text)
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    expect(await store.read('a')).toBeUndefined()
    const [backup, ...others] = filesIn(folder)
    expect(others).toEqual([])
    expect(backup).not.toBe(file)
    expect(readFileSync(join(folder, backup!), 'utf8')).toBe(text)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(onWarning.mock.calls[0]![0]).toContain('session "a"')
    expect(onWarning.mock.calls[0]![0]).toContain(join(folder, backup!))
  })

  it('keeps the other sessions', async () => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    const [broken] = filesIn(folder)
    await addSent(createFileStore({ folder }), 'b', 'y')
    writeFileSync(join(folder, broken!), '{')
    const store = createFileStore({ folder, onWarning: () => {} })
    expect((await addSent(store, 'a', 'z'))?.sent).toEqual(['z'])
    expect((await store.read('b'))?.sent).toEqual(['y'])
    expect((await createFileStore({ folder }).read('a'))?.sent).toEqual(['z'])
  })

  it('warns once, not on every read', async () => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    writeFileSync(join(folder, filesIn(folder)[0]!), '{')
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    await Promise.all([store.read('a'), store.read('a'), addSent(store, 'a', 'y')])
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })

  it('does not count a renamed file as a session', async () => {
    const folder = newFolder()
    await addSent(createFileStore({ folder }), 'a', 'x')
    const [broken] = filesIn(folder)
    writeFileSync(join(folder, broken!), '{')
    // in the past, so that a folder of the renamed file would be the most recently used one
    let now = 1_000
    const store = createFileStore({ folder, maxSessions: 2, now: () => now++, onWarning: () => {} })
    await store.read('a')
    await addSent(store, 'b', 'x')
    await addSent(store, 'c', 'x')
    expect(await store.read('b')).toBeDefined()
    expect(await store.read('c')).toBeDefined()
  })
})

describe('createFileStore: size and idle limits', () => {
  it('deletes the least recently used session when there are too many', async () => {
    let now = 1_000
    const store = createFileStore({ folder: newFolder(), maxSessions: 2, now: () => now })
    await addSent(store, 'a', 'x')
    now = 2_000
    await addSent(store, 'b', 'x')
    now = 3_000
    await addSent(store, 'c', 'x')
    expect(await store.read('a')).toBeUndefined()
    expect(await store.read('b')).toBeDefined()
    expect(await store.read('c')).toBeDefined()
  })

  it('counts a read as use', async () => {
    let now = 1_000
    const store = createFileStore({ folder: newFolder(), maxSessions: 2, now: () => now })
    await addSent(store, 'a', 'x')
    now = 2_000
    await addSent(store, 'b', 'x')
    now = 3_000
    await store.read('a')
    now = 4_000
    await addSent(store, 'c', 'x')
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeUndefined()
  })

  it('counts sessions that an earlier store left in the folder', async () => {
    const folder = newFolder()
    let now = 1_000
    const before = createFileStore({ folder, now: () => now })
    await addSent(before, 'a', 'x')
    now = 2_000
    await addSent(before, 'b', 'x')
    now = 3_000
    const after = createFileStore({ folder, maxSessions: 2, now: () => now })
    await addSent(after, 'c', 'x')
    expect(await after.read('a')).toBeUndefined()
    expect(await after.read('b')).toBeDefined()
  })

  it('never exceeds its limit and never deletes the newest session', async () => {
    const folder = newFolder()
    let now = 0
    const store = createFileStore({ folder, maxSessions: 20, now: () => now })
    for (let i = 0; i < 50; i++) {
      now = 1_000 * (i + 1)
      await addSent(store, `session ${i}`, 'x')
      expect(readdirSync(folder).length).toBeLessThanOrEqual(20)
      expect(await store.read(`session ${i}`)).toBeDefined()
    }
    expect(readdirSync(folder).length).toBeGreaterThanOrEqual(18)
  })

  it('keeps 4,096 sessions by default and deletes several at once', async () => {
    const folder = newFolder()
    for (let i = 1; i < 4_096; i++) mkdirSync(join(folder, `${i}`.padStart(32, '0')))
    const store = createFileStore({ folder })
    await addSent(store, 'a', 'x')
    expect(readdirSync(folder)).toHaveLength(4_096)
    await addSent(store, 'b', 'x')
    expect(readdirSync(folder)).toHaveLength(4_096 - 409)
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeDefined()
  })

  it('never exceeds its limit with concurrent new sessions', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder, maxSessions: 10 })
    const ids = Array.from({ length: 40 }, (_, index) => `session ${index}`)
    await Promise.allSettled(ids.map((id) => addSent(store, id, 'x')))
    await addSent(store, 'one more', 'x')
    expect(readdirSync(folder).length).toBeLessThanOrEqual(10)
  })

  it('reads a session completely or not at all while another write deletes it', async () => {
    const onWarning = vi.fn()
    const store = createFileStore({ folder: newFolder(), maxSessions: 1, onWarning })
    for (let i = 0; i < 10; i++) {
      await addSent(store, 'a', 'x')
      let isPushedOut = false
      const push = addSent(store, `other ${i}`, 'x').then(() => {
        isPushedOut = true
      })
      while (!isPushedOut) {
        const record = await store.read('a')
        if (record) expect(record.sent).toEqual(['x'])
      }
      await push
    }
    expect(onWarning).not.toHaveBeenCalled()
  })

  it('deletes an idle session and its file', async () => {
    const folder = newFolder()
    let now = 5_000
    const store = createFileStore({ folder, idleMs: 1_000, now: () => now })
    await addSent(store, 'a', 'x')
    now = 6_000
    expect((await store.read('a'))?.sent).toEqual(['x'])
    now = 7_000
    expect((await store.read('a'))?.sent).toEqual(['x'])
    now = 8_001
    expect(await store.read('a')).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it('starts an expired session empty', async () => {
    let now = 5_000
    const store = createFileStore({ folder: newFolder(), idleMs: 1_000, now: () => now })
    await addSent(store, 'a', 'x')
    now = 7_000
    expect((await addSent(store, 'a', 'y'))?.sent).toEqual(['y'])
  })

  it('keeps idle sessions forever by default', async () => {
    let now = 5_000
    const store = createFileStore({ folder: newFolder(), now: () => now })
    await addSent(store, 'a', 'x')
    now = 5_000 + 3_000_000_000
    expect(await store.read('a')).toBeDefined()
  })

  it('ignores files it did not create', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'README.md'), 'hands off')
    mkdirSync(join(folder, 'notes'))
    const store = createFileStore({ folder, maxSessions: 1 })
    await addSent(store, 'a', 'x')
    await addSent(store, 'b', 'x')
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['README.md', 'notes']))
  })
})
