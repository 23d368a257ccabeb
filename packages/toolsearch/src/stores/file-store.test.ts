import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createFileStore } from './file-store.ts'
import { describeSessionStore } from './session-store.cases.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-file-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function newFolder(): string {
  return mkdtempSync(join(root, 'store-'))
}

describe('createFileStore', () => {
  describeSessionStore(() => createFileStore({ folder: newFolder() }))

  it('reads what an earlier store wrote to the same folder', async () => {
    const folder = newFolder()
    const record = await createFileStore({ folder }).append('a', {
      loaded: [{ name: 'read_file', fingerprint: '1' }],
      active: true,
      announcement: 'list',
      announced: ['write_file'],
    })
    expect(await createFileStore({ folder }).read('a')).toEqual(record)
  })

  it('creates its folder and all parent folders on the first write', async () => {
    const folder = join(newFolder(), 'not', 'there', 'yet')
    const store = createFileStore({ folder })
    expect(await store.read('a')).toBeUndefined()
    await store.forget('a')
    await store.append('a', { active: true })
    expect((await store.read('a'))?.active).toBe(true)
  })

  it('never writes outside its folder, whatever the id', async () => {
    const outside = newFolder()
    const folder = join(outside, 'sessions')
    const store = createFileStore({ folder })
    const ids = ['../escaped', '../../escaped', join(outside, 'absolute'), '..', '.', 'a/../../b']
    for (const id of ids) await store.append(id, { active: true })
    expect(readdirSync(outside)).toEqual(['sessions'])
    expect(readdirSync(folder)).toHaveLength(ids.length)
  })

  it('never deletes outside its folder, whatever the id', async () => {
    const outside = newFolder()
    writeFileSync(join(outside, 'precious.json'), '{}')
    const store = createFileStore({ folder: join(outside, 'sessions') })
    await store.append('a', { active: true })
    for (const id of ['../precious', '../precious.json', join(outside, 'precious.json')]) {
      await store.read(id)
      await store.forget(id)
    }
    expect(readFileSync(join(outside, 'precious.json'), 'utf8')).toBe('{}')
  })

  it('distinguishes ids that differ only in a lone surrogate', async () => {
    const store = createFileStore({ folder: newFolder() })
    await store.append('\ud800', { sent: ['one'] })
    await store.append('\udbff', { sent: ['other'] })
    expect((await store.read('\ud800'))?.sent).toEqual(['one'])
  })

  it('leaves exactly one file per session', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    for (let i = 0; i < 10; i++) await store.append('a', { sent: [`tool_${i}`] })
    expect(readdirSync(folder)).toHaveLength(1)
    expect(readdirSync(folder)[0]).toMatch(/\.json$/)
  })

  it('deletes the file of a forgotten session', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder })
    await store.append('a', { active: true })
    await store.forget('a')
    expect(readdirSync(folder)).toEqual([])
  })

  it('completes a long write even if a short one finishes first', async () => {
    const store = createFileStore({ folder: newFolder() })
    const announcement = 'x'.repeat(20_000_000)
    await Promise.all([
      store.append('long', { announcement }),
      store.append('short', { active: true }),
    ])
    expect((await store.read('long'))?.announcement).toHaveLength(20_000_000)
    expect(await store.read('short')).toBeDefined()
  })

  it('rejects only the failing operation if the storage fails', async () => {
    const folder = join(newFolder(), 'sessions')
    const store = createFileStore({ folder })
    writeFileSync(folder, 'a file where the folder should be')
    await expect(store.append('a', { sent: ['x'] })).rejects.toThrow()
    rmSync(folder)
    await store.append('a', { sent: ['y'] })
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })
})

describe('createFileStore after a crash', () => {
  it('reads the old record and deletes an unfinished draft', async () => {
    const folder = newFolder()
    await createFileStore({ folder }).append('a', { sent: ['x'] })
    const [file] = readdirSync(folder)
    writeFileSync(join(folder, `${file}.0b7c.draft`), '{"version":1,"id":"a","rec')
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    expect((await store.read('a'))?.sent).toEqual(['x'])
    await store.append('b', { active: true })
    expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([])
    expect(onWarning).not.toHaveBeenCalled()
  })

  it.each([1, 2, 3])(
    'keeps every confirmed write after a SIGKILL during a write (%i)',
    async () => {
      const folder = newFolder()
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '--eval', writeForever],
        {
          cwd: import.meta.dirname,
          env: {
            ...process.env,
            FOLDER: folder,
            STORE: join(import.meta.dirname, 'file-store.ts'),
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      const exit = once(child, 'exit')
      const confirmed: { id: string; name: string }[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        confirmed.push(JSON.parse(line))
        if (confirmed.length === 150) child.kill('SIGKILL')
      }
      expect(await exit).toEqual([null, 'SIGKILL'])

      const onWarning = vi.fn()
      const store = createFileStore({ folder, onWarning })
      for (const { id, name } of confirmed) expect((await store.read(id))?.sent).toContain(name)
      const last = confirmed.findLast(({ id }) => id === 'session 0')!
      const after = await store.append('session 0', { sent: ['after the crash'] })
      expect(after.sent).toEqual(expect.arrayContaining([last.name, 'after the crash']))
      expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual([])
      expect(onWarning).not.toHaveBeenCalled()
    },
  )

  const writeForever = `
    const { createFileStore } = await import(process.env.STORE)
    const store = createFileStore({ folder: process.env.FOLDER })
    // create the folder before the concurrent writes start
    await store.append('session 0', {})
    const write = async (id) => {
      for (let i = 0; ; i++) {
        const name = 'tool_' + i + '_' + 'x'.repeat(2000)
        await store.append(id, { sent: [name] })
        process.stdout.write(JSON.stringify({ id, name }) + '\\n')
      }
    }
    await Promise.all([0, 1, 2, 3].map((index) => write('session ' + index)))
  `
})

describe('createFileStore with an unreadable file', () => {
  it.each([
    ['empty', ''],
    ['truncated', '{"version":1,"id":"a","record":{"loaded":[{"na'],
    ['not JSON', '\0\0\0\0'],
    ['null', 'null'],
    ['not an object', '[1,2,3]'],
    ['of a different version', '{"version":2,"id":"a","record":{}}'],
    ['incomplete', '{"version":1,"id":"a","record":{"active":true}}'],
  ])('renames a file that is %s, warns, and starts empty', async (_, text) => {
    const folder = newFolder()
    await createFileStore({ folder }).append('a', { sent: ['x'] })
    const [file] = readdirSync(folder)
    writeFileSync(join(folder, file!), text)
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    expect(await store.read('a')).toBeUndefined()
    const [backup, ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(backup).not.toBe(file)
    expect(readFileSync(join(folder, backup!), 'utf8')).toBe(text)
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(onWarning.mock.calls[0]![0]).toContain('session "a"')
    expect(onWarning.mock.calls[0]![0]).toContain(join(folder, backup!))
  })

  it('keeps the other sessions', async () => {
    const folder = newFolder()
    await createFileStore({ folder }).append('a', { sent: ['x'] })
    const [broken] = readdirSync(folder)
    await createFileStore({ folder }).append('b', { sent: ['y'] })
    writeFileSync(join(folder, broken!), '{')
    const store = createFileStore({ folder, onWarning: () => {} })
    expect((await store.append('a', { sent: ['z'] })).sent).toEqual(['z'])
    expect((await store.read('b'))?.sent).toEqual(['y'])
    expect((await createFileStore({ folder }).read('a'))?.sent).toEqual(['z'])
  })

  it('warns once, not on every read', async () => {
    const folder = newFolder()
    await createFileStore({ folder }).append('a', { sent: ['x'] })
    writeFileSync(join(folder, readdirSync(folder)[0]!), '{')
    const onWarning = vi.fn()
    const store = createFileStore({ folder, onWarning })
    await Promise.all([store.read('a'), store.read('a'), store.append('a', { sent: ['y'] })])
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect((await store.read('a'))?.sent).toEqual(['y'])
  })

  it('does not count a renamed file as a session', async () => {
    const folder = newFolder()
    await createFileStore({ folder }).append('a', { sent: ['x'] })
    const [broken] = readdirSync(folder)
    writeFileSync(join(folder, broken!), '{')
    const store = createFileStore({ folder, maxSessions: 2, onWarning: () => {} })
    await store.read('a')
    await store.append('b', { active: true })
    await store.append('c', { active: true })
    expect(await store.read('b')).toBeDefined()
    expect(await store.read('c')).toBeDefined()
  })
})

describe('createFileStore: size and idle limits', () => {
  it('deletes the least recently used session when there are too many', async () => {
    let now = 1_000
    const store = createFileStore({ folder: newFolder(), maxSessions: 2, now: () => now })
    await store.append('a', { active: true })
    now = 2_000
    await store.append('b', { active: true })
    now = 3_000
    await store.append('c', { active: true })
    expect(await store.read('a')).toBeUndefined()
    expect(await store.read('b')).toBeDefined()
    expect(await store.read('c')).toBeDefined()
  })

  it('counts a read as use', async () => {
    let now = 1_000
    const store = createFileStore({ folder: newFolder(), maxSessions: 2, now: () => now })
    await store.append('a', { active: true })
    now = 2_000
    await store.append('b', { active: true })
    now = 3_000
    await store.read('a')
    now = 4_000
    await store.append('c', { active: true })
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeUndefined()
  })

  it('counts sessions that an earlier store left in the folder', async () => {
    const folder = newFolder()
    let now = 1_000
    const before = createFileStore({ folder, now: () => now })
    await before.append('a', { active: true })
    now = 2_000
    await before.append('b', { active: true })
    now = 3_000
    const after = createFileStore({ folder, maxSessions: 2, now: () => now })
    await after.append('c', { active: true })
    expect(await after.read('a')).toBeUndefined()
    expect(await after.read('b')).toBeDefined()
  })

  it('never exceeds its limit and never deletes the newest session', async () => {
    const folder = newFolder()
    let now = 0
    const store = createFileStore({ folder, maxSessions: 20, now: () => now })
    for (let i = 0; i < 50; i++) {
      now = 1_000 * (i + 1)
      await store.append(`session ${i}`, { active: true })
      expect(readdirSync(folder).length).toBeLessThanOrEqual(20)
      expect(await store.read(`session ${i}`)).toBeDefined()
    }
    expect(readdirSync(folder).length).toBeGreaterThanOrEqual(18)
  })

  it('keeps 4,096 sessions by default and deletes several at once', async () => {
    const folder = newFolder()
    for (let i = 1; i < 4_096; i++) writeFileSync(join(folder, `${i}.json`), '{}')
    const store = createFileStore({ folder })
    await store.append('a', { active: true })
    expect(readdirSync(folder)).toHaveLength(4_096)
    await store.append('b', { active: true })
    expect(readdirSync(folder)).toHaveLength(4_096 - 409)
    expect(await store.read('a')).toBeDefined()
    expect(await store.read('b')).toBeDefined()
  })

  it('never exceeds its limit with concurrent new sessions', async () => {
    const folder = newFolder()
    const store = createFileStore({ folder, maxSessions: 10 })
    const ids = Array.from({ length: 40 }, (_, index) => `session ${index}`)
    await Promise.allSettled(ids.map((id) => store.append(id, { active: true })))
    await store.append('one more', { active: true })
    expect(readdirSync(folder).length).toBeLessThanOrEqual(10)
  })

  it('reads a session completely or not at all while another write deletes it', async () => {
    const onWarning = vi.fn()
    const store = createFileStore({ folder: newFolder(), maxSessions: 1, onWarning })
    for (let i = 0; i < 100; i++) {
      await store.append('a', { sent: ['x'] })
      let isPushedOut = false
      const push = store.append(`other ${i}`, { active: true }).then(() => {
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
    await store.append('a', { sent: ['x'] })
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
    await store.append('a', { sent: ['x'] })
    now = 7_000
    expect((await store.append('a', { sent: ['y'] })).sent).toEqual(['y'])
  })

  it('keeps idle sessions forever by default', async () => {
    let now = 5_000
    const store = createFileStore({ folder: newFolder(), now: () => now })
    await store.append('a', { sent: ['x'] })
    now = 5_000 + 3_000_000_000
    expect(await store.read('a')).toBeDefined()
  })

  it('ignores files it did not create', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'README.md'), 'hands off')
    mkdirSync(join(folder, 'notes'))
    const store = createFileStore({ folder, maxSessions: 1 })
    await store.append('a', { active: true })
    await store.append('b', { active: true })
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['README.md', 'notes']))
  })
})
