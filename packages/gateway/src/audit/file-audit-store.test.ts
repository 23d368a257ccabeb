import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { childProgram, modulePath } from '../system/child-program.fixtures.ts'
import { auditEntry, describeAuditStore } from './audit-store.cases.ts'
import { createFileAuditStore } from './file-audit-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-audit-'))
})

const ALL = {}
const PAGE = { limit: 10_000 }

describe('createFileAuditStore', () => {
  describeAuditStore(() => createFileAuditStore(join(folder, 'new')))

  it('writes files that only the owner can read, one for each day', async () => {
    const store = createFileAuditStore(join(folder, 'new'))
    await store.append([auditEntry(1), auditEntry(86_401)])
    const names = await readdir(join(folder, 'new'))
    expect(names.sort()).toEqual(['2026-01-01.jsonl', '2026-01-02.jsonl'])
    expect((await stat(join(folder, 'new', names[0]!))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
  })

  it('writes one line per entry, whatever its texts contain', async () => {
    const store = createFileAuditStore(folder)
    await store.append([auditEntry(1, { client: 'a\nb\r\u2028\u0085\u009b2K\u202e' })])
    const text = await readFile(join(folder, '2026-01-01.jsonl'), 'utf8')
    expect(text.split(/[\n\r\u2028\u2029\u0085]/)).toHaveLength(2)
    expect(text).not.toMatch(/[\u0080-\u009f\u202e]/)
  })

  it('skips lines that were cut off, and lines that are not entries', async () => {
    await createFileAuditStore(folder).append([auditEntry(1)])
    const line = JSON.stringify(auditEntry(2))
    await appendFile(
      join(folder, '2026-01-01.jsonl'),
      `null\n{"id":"x"}\n${line.replace('"ok"', '"fine"')}\n${line.slice(0, 50)}`,
    )
    const store = createFileAuditStore(folder)
    await store.append([auditEntry(3)])
    expect((await store.query(ALL, PAGE)).entries).toEqual([auditEntry(3), auditEntry(1)])
  })

  it('leaves other files alone', async () => {
    await writeFile(join(folder, 'notes.txt'), 'mine')
    const store = createFileAuditStore(folder)
    await store.append([auditEntry(1)])
    await store.prune(Date.now())
    expect(await readdir(folder)).toEqual(['notes.txt'])
  })

  it('rejects if it cannot write or read, and recovers', async () => {
    const blocked = join(folder, 'file')
    await writeFile(blocked, '')
    const store = createFileAuditStore(join(blocked, 'audit'))
    await expect(store.append([auditEntry(1)])).rejects.toThrow()
    await expect(store.query(ALL, PAGE)).rejects.toThrow()
    await rm(blocked)
    await store.append([auditEntry(2)])
    expect((await store.query(ALL, PAGE)).entries).toEqual([auditEntry(2)])
  })

  it('keeps every line whole while several processes append, one of which is killed', async () => {
    const source = `
      import { createFileAuditStore } from ${JSON.stringify(modulePath('audit/file-audit-store'))}
      const store = createFileAuditStore(${JSON.stringify(folder)})
      const [entry, name] = [${JSON.stringify(auditEntry(1))}, process.env.NAME]
      for (let count = 0; ; count++) {
        const id = entry.id + '-' + name + '-' + String(count).padStart(6, '0')
        await store.append([{ ...entry, id, name, arguments: 'x'.repeat(5_000) }])
      }
    `
    const children = ['a', 'b'].map((NAME) =>
      spawn(process.execPath, childProgram(source), {
        stdio: 'ignore',
        env: { ...process.env, NAME },
      }),
    )
    const ended = children.map((child) => new Promise((resolve) => child.once('exit', resolve)))
    const store = createFileAuditStore(folder)
    const written = async (person: string) =>
      (await store.query({ person }, PAGE)).entries.map(({ id }) => Number(id.split('-').at(-1)))
    try {
      await expect.poll(async () => (await written('a')).length).toBeGreaterThan(20)
      children[0]!.kill('SIGKILL')
      await ended[0]
      const before = (await written('b')).length
      await expect.poll(async () => (await written('b')).length).toBeGreaterThan(before + 20)
    } finally {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(ended)
    }
    for (const name of ['a', 'b']) {
      const counts = (await written(name)).reverse()
      expect(counts).toEqual(counts.map((_, index) => index))
    }
  })
})
