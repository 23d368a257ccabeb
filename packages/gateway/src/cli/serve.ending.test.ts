import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isAlive } from '../upstreams/fixtures/watch.fixtures.ts'
import { recorded, serving } from './serving.fixtures.ts'

/** Writes its process id to a file, and ignores SIGTERM. */
function stubbornServer() {
  const file = join(mkdtempSync(join(tmpdir(), 'toolsearch-ending-')), 'pid')
  const source = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
    require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`
  const started = async () => {
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8'), { interval: 5 })
      .toMatch(/\d+/)
    return Number(readFileSync(file, 'utf8'))
  }
  return { server: { command: process.execPath, args: ['-e', source] }, started }
}

it('leaves no server processes behind if the gateway is stopped while it starts', async () => {
  const { server, started } = stubbornServer()
  const served = await serving({ mcpServers: { server } })
  const command = served.start('serve', '--http', '--port', '0')
  const pid = await started()
  command.kill('SIGTERM')
  expect((await command.ended).code).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

it('leaves no server processes behind if the terminal of its process is closed', async () => {
  const { server, started } = stubbornServer()
  const served = await serving({ mcpServers: { server } })
  const child = served.spawn('serve', '--http', '--port', '0')
  const ended = once(child, 'exit')
  const pid = await started()
  child.kill('SIGHUP')
  expect(await ended).toEqual([0, null])
  expect(isAlive(pid)).toBe(false)
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

it('calls and scripts that a client leaves are part of the history', async () => {
  const served = await serving({
    mcpServers: { everything: recorded },
    toolsearch: { scripts: true, mode: 'search', limits: { connectMs: 60_000, callMs: 600_000 } },
  })
  const command = served.start('serve')
  let out = ''
  command.stdout.on('data', (piece) => {
    out += piece
  })
  const send = (message: object) =>
    command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const opening = { protocolVersion: '2025-11-25', capabilities: {} }
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { ...opening, clientInfo } })
  await expect.poll(() => out).toContain('"id":1')
  send({ method: 'notifications/initialized' })
  const call = (id: number, params: object) =>
    send({ id, method: 'tools/call', params: { ...params, _meta: { progressToken: `p${id}` } } })
  call(2, {
    name: 'everything__trigger-long-running-operation',
    arguments: { duration: 600, steps: 1_200 },
  })
  call(3, {
    name: 'run_destructive_script',
    arguments: {
      script:
        'await tools.everything__echo({ message: "x" }); await tools.everything__trigger_long_running_operation({ duration: 600, steps: 1 })',
    },
  })
  await expect.poll(() => out).toContain('"progressToken":"p2"')
  await expect.poll(() => out).toContain('"progressToken":"p3"')
  command.stdin.end()
  expect((await command.ended).code).toBe(0)
  const { out: printed } = await served.run('history', '--json')
  const { entries } = JSON.parse(printed) as { entries: { tool: string; failure?: string }[] }
  const unfinished = entries.filter(({ failure }) => failure !== undefined)
  expect(unfinished.map(({ tool }) => tool)).toEqual(
    expect.arrayContaining([
      'everything__trigger-long-running-operation',
      'run_destructive_script',
    ]),
  )
})
