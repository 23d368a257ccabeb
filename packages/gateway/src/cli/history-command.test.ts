import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createHistoryStore } from '../inspection/history/history-store.ts'
import { historyFolderOf } from './history-folder.ts'
import { runHere } from './run-here.fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-history-'))
const file = join(folder, 'toolsearch.json')
const env = { TOOLSEARCH_CACHE: join(folder, 'cache') }
const ENTRIES = 60

beforeAll(async () => {
  writeFileSync(file, '{ "mcpServers": { "files": { "command": "files" } } }')
  const store = createHistoryStore(historyFolderOf(file, env))
  for (let number = 0; number < ENTRIES; number++) {
    store.append({
      kind: 'search',
      id: `a-${number}`,
      session: 'run:1',
      client: 'test',
      at: new Date(Date.now() - number).toISOString(),
      query: `query ${number}`,
      hits: [],
      candidates: [],
      milliseconds: 1,
      size: 1,
      tokens: 1,
      servers: [],
    })
  }
  await store.flush()
})

const run = (...line: string[]) => runHere([...line, '-c', file], { env, cwd: folder })

it('history shows the latest 50 entries, and all of them with --json unless -n is given', async () => {
  const text = await run('history')
  expect(text.out.trim().split('\n')).toHaveLength(50)
  expect(text.err).toContain(`The latest 50 of ${ENTRIES} entries.`)
  const entriesOf = async (...line: string[]) =>
    JSON.parse((await run('history', '--json', ...line)).out).entries
  expect(await entriesOf()).toHaveLength(ENTRIES)
  expect(await entriesOf('-n', '7')).toHaveLength(7)
})
