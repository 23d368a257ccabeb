import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runHere } from './run-here.fixtures.ts'

const root = new URL('../../../../', import.meta.url)
const queries = fileURLToPath(new URL('.toolsearch/toolsearch.queries.jsonl', root))
const home = mkdtemp(join(tmpdir(), 'toolsearch-start-'))

it('npm start keeps saved queries, and can be found by other commands', async () => {
  const before = existsSync(queries) ? await readFile(queries, 'utf8') : undefined
  const line = '{"query":"a query of a test","relevant":["memory__open_nodes"]}\n'
  const env = { PATH: process.env.PATH, HOME: await home }
  const tsx = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx')]
  const child = spawn(
    process.execPath,
    [...tsx, fileURLToPath(new URL('examples/gateway.ts', root))],
    { env },
  )
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await expect.poll(() => said).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
    await writeFile(queries, (before ?? '') + line)
    expect(await runHere(['live', '--json'], { env, cwd: env.HOME })).toMatchObject({ code: 0 })
    child.kill('SIGTERM')
    await ended
    expect(await readFile(queries, 'utf8')).toContain('a query of a test')
  } finally {
    child.kill('SIGTERM')
    await ended
    if (before === undefined) await rm(queries, { force: true })
    else await writeFile(queries, before)
  }
}, 90_000)
