import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recorded, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({ mcpServers: { everything: recorded } })
})
afterAll(() => gateway.end())

// `script` of util-linux runs a command in a pseudo terminal.
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('linux')

it.runIf(hasScript)(
  'serve explains in a terminal that a client must start it',
  async () => {
    const { command, args, cwd, env } = gateway.command()
    const line = [command, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env })
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => said, { timeout: 30_000 }).toContain('Press Ctrl-C to stop.')
    expect(said).toContain('toolsearch serve speaks MCP over stdio')
    expect(said).toContain('"mcpServers"')
    expect(said).toContain('toolsearch serve --http')
    child.stdin.write('\u0003')
    await ended
  },
  60_000,
)

it('serve writes nothing about it for a client', async () => {
  const command = gateway.start('serve')
  const request = { jsonrpc: '2.0', id: 1, method: 'ping' }
  command.stdin.write(`${JSON.stringify(request)}\n`)
  await once(command.stdout, 'data')
  command.stdin.end()
  expect((await command.ended).err).toBe('')
})
