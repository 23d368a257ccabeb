import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { childProgram, modulePath } from './child-program.fixtures.ts'
import { withLock } from './with-lock.ts'

const root = mkdtempSync(join(tmpdir(), 'toolsearch-lock-'))

const newFolder = () => mkdtempSync(join(root, 'one-'))

/** Creates the lock that a crashed process leaves behind. */
function leaveStaleLock(lock: string): void {
  mkdirSync(lock)
  const file = join(lock, 'crashed')
  writeFileSync(file, '')
  utimesSync(file, 0, 0)
}

/** Adds one to a number in a file, slowly enough for two concurrent calls to collide. */
async function increment(file: string): Promise<void> {
  const value = Number(readFileSync(file, 'utf8'))
  await new Promise((done) => setTimeout(done, 2))
  writeFileSync(file, String(value + 1))
}

describe('withLock', () => {
  it('runs one task at a time and leaves nothing behind', async () => {
    const folder = newFolder()
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    const lock = join(folder, 'lock')
    const tasks = Array.from({ length: 30 }, () =>
      withLock(lock, () => increment(counter), { retryMs: 1 }),
    )
    await Promise.all(tasks)
    expect(readFileSync(counter, 'utf8')).toBe('30')
    expect(await readdir(folder)).toEqual(['counter'])
  })

  it('lets one process at a time take over a stale lock', async () => {
    const folder = newFolder()
    const counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    const lock = join(folder, 'lock')
    leaveStaleLock(lock)
    const program = `
      import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
      import { withLock } from ${JSON.stringify(modulePath('system/with-lock'))}
      const [lock, counter] = ${JSON.stringify([lock, counter])}
      // plants another stale lock before each round, unless a process holds the lock
      function plantStaleLock(name) {
        mkdirSync(name)
        writeFileSync(name + '/' + process.pid, '')
        utimesSync(name + '/' + process.pid, 0, 0)
        try { renameSync(name, lock) } catch {}
      }
      for (let round = 0; round < 20; round++) {
        plantStaleLock(counter + '-' + process.pid + '-' + round)
        await withLock(lock, async () => {
          const value = Number(readFileSync(counter, 'utf8'))
          await new Promise((done) => setTimeout(done, 2))
          writeFileSync(counter, String(value + 1))
        }, { retryMs: 1 })
      }`
    const run = () =>
      new Promise((resolve) => {
        spawn(process.execPath, childProgram(program), { stdio: 'inherit' }).once('exit', resolve)
      })
    expect(await Promise.all(Array.from({ length: 4 }, run))).toEqual([0, 0, 0, 0])
    expect(readFileSync(counter, 'utf8')).toBe('80')
  })

  it('lets one of many waiting tasks take over each stale lock', async () => {
    const folder = newFolder()
    const lock = join(folder, 'lock')
    let running = 0
    let most = 0
    for (let round = 0; round < 20; round++) {
      leaveStaleLock(lock)
      const task = async () => {
        most = Math.max(most, ++running)
        await new Promise((done) => setTimeout(done, 1))
        running--
      }
      const tasks = Array.from({ length: 8 }, () => withLock(lock, task, { retryMs: 1 }))
      await Promise.all(tasks)
    }
    expect(most).toBe(1)
  })

  it('renews the lock while the task runs, so that it does not become stale', async () => {
    const lock = join(newFolder(), 'lock')
    await withLock(
      lock,
      async () => {
        const [holder] = await readdir(lock)
        const renewedAt = () => statSync(join(lock, holder!)).mtimeMs
        const first = renewedAt()
        await vi.waitFor(() => expect(renewedAt()).toBeGreaterThan(first), { timeout: 10_000 })
      },
      { staleMs: 200 },
    )
  })

  it('releases the lock when the task fails', async () => {
    const lock = join(newFolder(), 'lock')
    const failing = withLock(lock, () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(await withLock(lock, async () => 'done')).toBe('done')
  })

  it('runs the task without a lock if the lock cannot be created', async () => {
    const lock = join(newFolder(), 'missing', 'lock')
    expect(await withLock(lock, async () => 'done')).toBe('done')
  })
})
