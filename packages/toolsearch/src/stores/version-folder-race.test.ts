import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { EMPTY_RECORD, type SessionRecord } from './session-record.ts'
import { openVersions, type VersionFolder } from './version-folder.ts'

/** Runs before the next operation on a file with this ending. */
const pauses = new Map<string, () => Promise<void>>()

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  async function pause(operation: string, path: unknown): Promise<void> {
    const key = `${operation} ${String(path).split('/').at(-1)}`
    const before = pauses.get(key)
    pauses.delete(key)
    await before?.()
  }
  return {
    ...real,
    readFile: async (path: string, encoding: 'utf8') => {
      await pause('readFile', path)
      return real.readFile(path, encoding)
    },
    rm: async (path: string, options: object) => {
      await pause('rm', path)
      return real.rm(path, options)
    },
  }
})

const folder = mkdtempSync(join(tmpdir(), 'versions-'))

const open = (writer: string): VersionFolder =>
  openVersions({ path: join(folder, 'a'), id: 'a', writer, onUnreadable: async () => {} })
const sent = (...names: string[]): SessionRecord => ({ ...EMPTY_RECORD, sent: names })

it('never reads a version that a slow writer takes back', async () => {
  const fast = open('fast')
  const slow = open('slow')
  await fast.write(await fast.read(), sent('1'))
  const outdated = await slow.read()
  await fast.write(await fast.read(), sent('2'))

  let slowWrite: Promise<boolean> | undefined
  let removeVersion2 = () => {}
  pauses.set('readFile 2.json', async () => {
    // version 3 frees the number 2, which the slow writer then uses for a moment
    await fast.write(await fast.read(), sent('3'))
    const isWritten = new Promise<void>((resolve) => {
      pauses.set('rm 2.json', () => {
        resolve()
        return new Promise((remove) => (removeVersion2 = remove))
      })
    })
    slowWrite = slow.write(outdated, sent('slow'))
    await isWritten
  })
  const read = await open('reader').read()
  removeVersion2()
  expect(await slowWrite).toBe(false)
  expect(read).toMatchObject({ version: 3, record: { sent: ['3'] } })
})
