import { expect, it } from 'vitest'
import type { GatewayInternals } from '../open-internals.ts'
import { connectServers } from './connect-servers.ts'
import { openForCommand } from './open-for-command.ts'
import { recorded, type Serving, serving } from './serving.fixtures.ts'
import { createTerminal } from './terminal.ts'

/**
 * Connects as `search` and `tools` do. Resolves to what is printed meanwhile.
 *
 * @param onOpen called when the gateway is open
 */
async function connect(
  { folder, env }: Serving,
  waitMs: number,
  onOpen = async (_: GatewayInternals) => {},
): Promise<string> {
  let said = ''
  const stderr = {
    write(text: string) {
      said += text
    },
  }
  const values = { config: 'toolsearch.json' }
  const terminal = createTerminal(stderr, stderr, env)
  const stdio = { input: process.stdin, output: process.stdout, error: process.stderr }
  const call = { values, args: [], terminal, env, cwd: folder, signals: process, stdio }
  const open = await openForCommand(call, { audience: 'person', isSearched: false })
  await onOpen(open.internals)
  await connectServers(open.internals, 'unknown', { ...call, isQuiet: false, waitMs })
  await open.close()
  return said
}

it('does not wait long for a server that never answers if other tools are cached', async () => {
  const cached = await serving({ mcpServers: { cached: recorded } })
  expect(await connect(cached, 60_000)).toMatch(/^cached: \d+ tools\n$/)
  const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 60_000)'] }
  await cached.write({ mcpServers: { cached: recorded, mute } })
  const said = await connect(cached, 100)
  expect(said).toMatch(/^Still connecting: mute\. Use --refresh/m)
  expect(said).toMatch(/^Tools from cache/m)
  expect(said).not.toContain('mute: failed')
  // The next command does not wait at all.
  expect(await connect(cached, 60_000)).toMatch(/^mute: failed less than a minute ago/m)
  await cached.end()
})

it('reports a new server that has connected while the gateway was opened', async () => {
  const served = await serving({ mcpServers: { fresh: recorded } })
  const isReady = ({ fleet }: GatewayInternals) =>
    expect.poll(() => fleet.upstreams.get('fresh')!.status.state).toBe('ready')
  expect(await connect(served, 60_000, isReady)).toMatch(/^fresh: \d+ tools\n$/)
  expect(await connect(served, 60_000)).toMatch(/^Tools from cache/)
  await served.end()
})
