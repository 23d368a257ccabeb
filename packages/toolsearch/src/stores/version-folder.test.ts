import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EMPTY_RECORD } from './session-record.ts'
import { openVersions, type VersionFolder } from './version-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-versions-'))

const record = (name: string) => ({ ...EMPTY_RECORD, sent: [name] })

/** The same folder, as two processes open it. */
function openTwice(): { path: string; one: VersionFolder; other: VersionFolder } {
  const path = join(mkdtempSync(join(root, 'session-')), 'session')
  const open = (writer: string) =>
    openVersions({ path, id: 'a', writer, onUnreadable: (_, error) => Promise.reject(error) })
  return { path, one: open('w1'), other: open('w2') }
}

describe('openVersions', () => {
  it('refuses a write if another process has written the next version', async () => {
    const { path, one, other } = openTwice()
    const base = await one.read()
    expect(await other.write(await other.read(), record('other'))).toBe(true)
    expect(await one.write(base, record('one'))).toBe(false)
    expect((await one.read()).record).toEqual(record('other'))
    expect(readdirSync(path)).toEqual(['1.json'])
  })

  it('refuses a write if the next version was written and deleted in the meantime', async () => {
    const { path, one, other } = openTwice()
    await other.write(await other.read(), record('first'))
    const base = await one.read()
    for (const name of ['second', 'third', 'fourth']) {
      expect(await other.write(await other.read(), record(name))).toBe(true)
    }
    expect(await one.write(base, record('one'))).toBe(false)
    expect((await one.read()).record).toEqual(record('fourth'))
    expect(readdirSync(path)).toEqual(['4.json'])
  })

  it('refuses a write if the session was deleted in the meantime', async () => {
    const { path, one, other } = openTwice()
    await other.write(await other.read(), record('first'))
    const base = await one.read()
    await other.remove(base.version)
    expect(await one.write(base, record('one'))).toBe(false)
    expect(await one.read()).toMatchObject({ version: 0 })
    expect(readdirSync(path)).toEqual([])
  })

  it('counts the writes of each process, so that it can recognise its own', async () => {
    const { one, other } = openTwice()
    for (let i = 0; i < 3; i++) await one.write(await one.read(), record(`${i}`))
    await other.write(await other.read(), record('other'))
    expect((await one.read()).writes).toEqual({ w1: 3, w2: 1 })
  })

  it('removes only the given version', async () => {
    const { one } = openTwice()
    await one.write(await one.read(), record('first'))
    await one.remove(7)
    expect((await one.read()).record).toEqual(record('first'))
  })
})
