import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { childProgram, modulePath } from '../../system/child-program.fixtures.ts'
import { describeHistoryStore, entry, idsOf } from './history-store.cases.ts'
import { createHistoryStore } from './history-store.ts'

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER }
const DAY_MS = 86_400_000
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-history-'))
})

async function bytesIn(path: string): Promise<number> {
  const names = await readdir(path)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('createHistoryStore', () => {
  describeHistoryStore(async () => (options) => createHistoryStore(folder, options))

  it('writes files that only the owner can read', async () => {
    const store = createHistoryStore(join(folder, 'new'))
    store.append(entry(1))
    await store.flush()
    const [name] = await readdir(join(folder, 'new'))
    expect((await stat(join(folder, 'new', name!))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
  })

  it('skips a line that was cut off, and lines that are not entries', async () => {
    const first = createHistoryStore(folder)
    first.append(entry(1))
    await first.flush()
    const [name] = await readdir(folder)
    await appendFile(
      join(folder, name!),
      `null\n{"id":5}\n${JSON.stringify(entry(2)).slice(0, 40)}`,
    )
    const second = createHistoryStore(folder)
    second.append(entry(3))
    await second.flush()
    expect(idsOf(await second.read(ALL))).toEqual([1, 3])
  })

  it('keeps what a process wrote before it was killed', async () => {
    const source = `
      import { createHistoryStore } from ${JSON.stringify(modulePath('inspection/history/history-store'))}
      const store = createHistoryStore(${JSON.stringify(folder)}, { batchMs: 5 })
      const entry = ${JSON.stringify(entry(1))}
      let count = 0
      setInterval(() => store.append({ ...entry, id: String(++count).padStart(6, '0') }), 1)
    `
    const child = spawn(process.execPath, childProgram(source), { stdio: 'ignore' })
    const store = createHistoryStore(folder)
    for (let tries = 0; (await store.read(ALL)).length < 20 && tries < 500; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    store.append(entry(999_999))
    const ids = idsOf(await store.read(ALL))
    expect(ids.length).toBeGreaterThanOrEqual(21)
    // Nothing is missing in between.
    expect(ids.slice(0, -1)).toEqual(ids.slice(0, -1).map((_, index) => index + 1))
    expect(ids.at(-1)).toBe(999_999)
  })

  it('lets several processes write at once', async () => {
    const stores = [1, 2, 3].map(() => createHistoryStore(folder, { batchMs: 1 }))
    for (let id = 0; id < 300; id++) {
      stores[id % 3]!.append(entry(id))
      if (id % 10 === 0) await Promise.all(stores.map((store) => store.flush()))
    }
    await Promise.all(stores.map((store) => store.flush()))
    expect(idsOf(await stores[0]!.read(ALL))).toEqual(Array.from({ length: 300 }, (_, id) => id))
  })

  it('deletes entries that are too old', async () => {
    let now = Date.UTC(2026, 0, 1)
    const store = createHistoryStore(folder, {
      bounds: () => ({ days: 2, megabytes: 50 }),
      now: () => now,
    })
    for (let day = 0; day < 6; day++) {
      store.append(entry(day, { at: now }))
      await store.flush()
      now += DAY_MS
    }
    expect(idsOf(await store.read(ALL))).toEqual([3, 4, 5])
  })

  it('deletes the oldest entries beyond the size limit, within a day', async () => {
    const store = createHistoryStore(folder, { bounds: () => ({ days: 30, megabytes: 1 }) })
    const tool = 'x'.repeat(250)
    let id = 0
    for (let batch = 0; batch < 40; batch++) {
      for (let count = 0; count < 200; count++) store.append(entry(id++, { tool }))
      await store.flush()
      expect(await bytesIn(folder)).toBeLessThan(1_200_000)
    }
    const ids = idsOf(await store.read(ALL))
    expect(ids.at(-1)).toBe(id - 1)
    expect(ids.length).toBeGreaterThan(1_000)
    expect(ids[0]).toBeGreaterThan(0)
  })

  it('says that it does not work instead of throwing, and recovers', async () => {
    const blocked = join(folder, 'file')
    await writeFile(blocked, '')
    const store = createHistoryStore(join(blocked, 'history'))
    store.append(entry(1))
    await store.flush()
    expect(store.isWorking).toBe(false)
    expect(await store.read(ALL)).toEqual([])
    await rm(blocked)
    store.append(entry(2))
    await store.flush()
    expect(store.isWorking).toBe(true)
    expect(idsOf(await store.read(ALL))).toEqual([2])
  })

  it('leaves other files in the folder alone', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine')
    const store = createHistoryStore(folder, { bounds: () => ({ days: 1, megabytes: 1 }) })
    store.append(entry(1))
    await store.flush()
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine')
  })
})
