import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { auditEntry } from '../audit/audit-store.cases.ts'
import { openAuditStore } from '../audit/open-audit-store.ts'
import { stateFolder } from '../system/data-folders.ts'
import { program } from './program.fixtures.ts'
import { runHere } from './run-here.fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-audit-'))
const file = join(folder, 'toolsearch.json')
const env = { TOOLSEARCH_CACHE: join(folder, 'cache') }
const ENTRIES = 60

const open = () => openAuditStore({ to: 'file' }, { file, stateFolder: stateFolder(env) })

/** @param minutes how long ago it happened */
function entry(minutes: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  const at = Date.now() - minutes * 60_000
  const id = `${at.toString(36).padStart(9, '0')}-${minutes}`
  return { ...auditEntry(0, changes), id, at: new Date(at).toISOString() }
}

beforeAll(async () => {
  const config = { mcpServers: { files: { command: 'files' } }, toolsearch: { audit: {} } }
  writeFileSync(file, JSON.stringify(config))
  const store = open()
  await store.append([
    entry(1, {
      outcome: 'denied',
      reason: 'toolsearch.access.rules[0].deny[0]',
      target: { kind: 'tool', server: 'github', name: 'delete_repo' },
    }),
    entry(2, {
      name: 'Grace',
      target: { kind: 'meta', name: 'tool_search' },
      searches: [{ query: 'send an invoice\n\u001b[2K', hits: [] }],
    }),
    entry(4, {
      outcome: 'cancelled',
      reason: 'toolsearch.access.rules[0].allow[0]',
      script: '1f3a5b7c',
      target: { kind: 'tool', server: 'github', name: 'list_issues' },
    }),
    entry(3, { kind: 'admin', action: 'key.create', name: 'Grace', detail: { key: 'k1' } }),
    ...Array.from({ length: ENTRIES }, (_, number) => entry(number + 10)),
  ])
})

async function run(...line: string[]): Promise<{ lines: string[]; err: string; code: number }> {
  const { code, out, err } = await runHere(['audit', '-c', file, ...line], { env, cwd: folder })
  return { code, lines: out.split('\n').slice(0, -1), err }
}

it('shows the latest entries, the latest last', async () => {
  const { lines, err } = await run()
  expect(lines).toHaveLength(50)
  expect(lines.at(-1)).toMatch(
    /^[\d-]+ [\d:]+ {2}Ada Lovelace with claude-code {2}tools\/call github\/delete_repo {2}denied: toolsearch\.access\.rules\[0\]\.deny\[0\] {2}13 ms$/,
  )
  expect(err).toBe('The latest 50 entries. Use --limit for more.\n')
  expect((await run('-n', '100')).lines).toHaveLength(ENTRIES + 4)
})

it('answers what was searched, by whom, and not found', async () => {
  const { lines } = await run('--not-found', '--since', '7d')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/Grace.*tool_search.*"send an invoice +\[2K": no results$/)
})

it('shows and finds the calls of a script', async () => {
  const { lines } = await run('1f3a5b7c')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /tools\/call github\/list_issues \(script 1f3a5b7c\) {2}cancelled {2}\d+ ms$/,
  )
})

it('filters', async () => {
  const counts = async (...line: string[]) => (await run('-n', '1000', ...line)).lines.length
  expect(await counts('--person', 'grace')).toBe(2)
  expect(await counts('--outcome', 'denied')).toBe(1)
  expect(await counts('--tool', 'github/*')).toBe(ENTRIES + 3)
  expect(await counts('--admin')).toBe(1)
  expect(await counts('--since', '5m')).toBe(4)
  expect(await counts('--until', '5m')).toBe(ENTRIES)
  expect(await counts('invoice')).toBe(1)
  expect((await run('--person', 'nobody')).err).toBe('No entries match.\n')
})

it('exports all entries as JSON Lines or CSV', async () => {
  const { lines } = await run('--json')
  expect(lines).toHaveLength(ENTRIES + 4)
  expect(lines.map((line) => JSON.parse(line).kind)).toContain('admin')
  const csv = (await run('--csv', '--admin')).lines
  expect(csv).toHaveLength(2)
  expect(csv[0]).toMatch(/^at,kind,person,name/)
  expect(csv[1]).toContain(',key.create,')
})

it('explains mistakes, and that the log is off', async () => {
  expect((await run('--outcome', 'fine')).err).toContain('Invalid --outcome "fine": use ok, failed')
  expect((await run('--json', '--csv')).err).toContain('Use either --json or --csv.')
  const off = join(folder, 'off.json')
  writeFileSync(off, '{ "mcpServers": { "files": { "command": "files" } } }')
  expect(await run('-c', off)).toMatchObject({
    code: 0,
    lines: [],
    err: expect.stringContaining('The audit log is off. To turn it on, add "audit": {}'),
  })
})

it('follows the log', async () => {
  const child = spawn(process.execPath, [...program, 'audit', '--follow', '--json', '-c', file], {
    env: { ...process.env, ...env },
  })
  let printed = ''
  child.stdout.on('data', (piece) => {
    printed += piece
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await expect.poll(() => printed).toContain('delete_repo')
    await open().append([entry(0, { action: 'resources/read' })])
    await expect.poll(() => printed).toContain('resources/read')
    expect(printed.match(/delete_repo/g)).toHaveLength(1)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})

it('contains what people do on the command line', async () => {
  await runHere(['keys', 'create', 'nightly', '-c', file], { env, cwd: folder })
  const { lines } = await run('--admin', '--action', 'key.create', '--since', '1m', '--json')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'admin', person: expect.stringMatching(/^command /), target: { kind: 'meta' } },
  ])
})
