import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

// The published package contains compiled code, but all other tests run the sources.
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const server = fileURLToPath(new URL('../../../../examples/catalogue-server.ts', import.meta.url))
let folder = ''

beforeAll(async () => {
  if (!existsSync(main)) throw new Error('The gateway is not built yet. Run npm run build.')
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-built-'))
  const args = ['--conditions=@toolsearch/source', '--import', import.meta.resolve('tsx'), server]
  const config = { mcpServers: { company: { command: process.execPath, args } } }
  await writeFile(join(folder, 'toolsearch.json'), JSON.stringify(config))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function run(...args: string[]): Promise<{ code: number; out: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, TOOLSEARCH_CACHE: join(folder, 'cache') }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: folder, env }, (error, out) => {
      resolve({ code: error ? Number(error.code) : 0, out })
    })
  })
}

it('finds tools with semantic search in the built package', async () => {
  const { out } = await run('search', 'give the customer their money back')
  expect(out).toContain('company__payments__refund_payment')
})

it('validates arguments against the full schema in the built package', async () => {
  const tool = 'company__chat__send_message'
  const bad = await run('call', tool, '{"to":{"channel":7},"text":"hi"}')
  expect(bad.code).toBe(1)
  expect(bad.out).toContain('to.channel must be string')
  const good = await run('call', tool, '{"to":{"channel":"#billing"},"text":"hi"}')
  expect(good.code).toBe(0)
})
