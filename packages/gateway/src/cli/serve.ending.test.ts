import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isAlive } from '../upstreams/fixtures/watch.fixtures.ts'
import { serving } from './serving.fixtures.ts'

it.each<[NodeJS.Signals, string]>([
  ['SIGTERM', 'the gateway is stopped while it starts'],
  ['SIGHUP', 'the terminal is closed (finding D11)'],
])('leaves no server processes behind on %s: %s', async (signal) => {
  const file = join(mkdtempSync(join(tmpdir(), 'toolsearch-ending-')), 'pid')
  const stubborn = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`
  const server = { command: process.execPath, args: ['-e', stubborn] }
  const served = await serving({ mcpServers: { server } })
  const child = served.start('serve', '--http', '--port', '0')
  const ended = once(child, 'exit')
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { interval: 5, timeout: 60_000 })
    .toMatch(/\d+/)
  child.kill(signal)
  expect(await ended).toEqual([0, null])
  expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false)
  await served.end()
})

it('ends when its client no longer reads, although stdin stays open (finding: orphaned gateways)', async () => {
  const served = await serving({ mcpServers: { missing: { command: 'no-such-command' } } })
  const child = served.start('serve')
  const ended = once(child, 'exit')
  child.stdout.destroy()
  const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' })}\n`
  child.stdin.on('error', () => {})
  // the first answers may still fit into a buffer
  const writing = setInterval(() => child.stdin.write(ping), 100)
  expect(await ended).toEqual([0, null])
  clearInterval(writing)
  await served.end()
})
