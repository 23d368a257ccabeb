import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isAlive } from '../upstreams/fixtures/watch.fixtures.ts'
import { recorded, serving } from './serving.fixtures.ts'

it.each<[NodeJS.Signals, string]>([
  ['SIGTERM', 'the gateway is stopped while it starts'],
  ['SIGHUP', 'the terminal is closed'],
])('leaves no server processes behind on %s: %s', async (signal) => {
  const file = join(mkdtempSync(join(tmpdir(), 'toolsearch-ending-')), 'pid')
  const stubborn = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`
  const server = { command: process.execPath, args: ['-e', stubborn] }
  const served = await serving({ mcpServers: { server } })
  const child = served.spawn('serve', '--http', '--port', '0')
  const ended = once(child, 'exit')
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { interval: 5 })
    .toMatch(/\d+/)
  child.kill(signal)
  expect(await ended).toEqual([0, null])
  expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false)
  await served.end()
})

it('ends when its client no longer reads, although stdin stays open', async () => {
  const served = await serving({ mcpServers: { missing: { command: 'no-such-command' } } })
  const child = served.spawn('serve')
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

it.each([
  [
    'a call',
    {
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 600, steps: 1_200 },
    },
    ['everything__trigger-long-running-operation'],
  ],
  [
    'a script',
    {
      name: 'run_destructive_script',
      arguments: {
        script:
          'await tools.everything__echo({ message: "x" }); await tools.everything__trigger_long_running_operation({ duration: 600, steps: 1 })',
      },
    },
    ['run_destructive_script'],
  ],
])('%s that its client leaves is part of the history', async (_, params, expected) => {
  const served = await serving({
    mcpServers: { everything: recorded },
    toolsearch: { scripts: true, mode: 'search', limits: { connectMs: 60_000, callMs: 600_000 } },
  })
  const child = served.spawn('serve')
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const opening = { protocolVersion: '2025-11-25', capabilities: {} }
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { ...opening, clientInfo } })
  await expect.poll(() => out).toContain('"id":1')
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { ...params, _meta: { progressToken: 'p' } } })
  await expect.poll(() => out).toContain('notifications/progress')
  const ended = once(child, 'exit')
  child.stdin.end()
  expect(await ended).toEqual([0, null])
  const { out: printed } = await served.run('history', '--json')
  const { entries } = JSON.parse(printed) as { entries: { tool: string; failure?: string }[] }
  const unfinished = entries.filter(({ failure }) => failure !== undefined)
  expect(unfinished.map(({ tool }) => tool)).toEqual(expect.arrayContaining(expected))
  await served.end()
})
