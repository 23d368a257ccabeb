import { describe, expect, it } from 'vitest'
import { createGateway } from './gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from './upstream-set.fixtures.ts'

const echo = { name: 'echo', inputSchema: { type: 'object' } }

function start(servers: Record<string, FakeServer>, changes: Record<string, object> = {}) {
  const set = upstreamSet(servers)
  const configs = Object.keys(servers).map((name) => serverConfig(name, changes[name]))
  const gateway = createGateway(gatewayConfig(configs), set)
  const call = async (name: string) => {
    const direct = await gateway.callTool({ name })
    const through = await gateway.callTool({ name: 'call_destructive_tool', arguments: { name } })
    expect(through).toEqual(direct)
    return { isError: direct.isError, text: String(direct.content?.[0]?.text) }
  }
  return { set, call }
}

describe('a call to a tool that is not known yet', () => {
  it('waits for its server to connect', async () => {
    const { set, call } = start({
      good: { tools: [echo] },
      slow: { tools: [], state: 'connecting' },
    })
    const slow = set.upstreams.get('slow')!
    slow.connect = async () => set.change('slow', { tools: [echo] })
    expect(await call('slow__echo')).toEqual({ isError: undefined, text: 'done' })
  })

  it.each<[FakeServer, string]>([
    [{ tools: [], state: 'failed', detail: 'It exited.' }, 'Server bad failed: It exited.'],
    [{ tools: [], state: 'needs-sign-in', detail: 'Run x.' }, 'Server bad needs a sign-in: Run x.'],
    [{ tools: [], state: 'connecting' }, 'Server bad is still starting. Try again in a moment.'],
  ])('reports the state of its server: %j', async (bad, reason) => {
    const { call } = start({ good: { tools: [echo] }, bad })
    expect(await call('bad__echo')).toEqual({
      isError: true,
      text: `"bad__echo" is not available. ${reason}`,
    })
  })

  it('suggests other tools if the server is ready, or if there is no such server', async () => {
    const { call } = start({ good: { tools: [echo] }, bad: { tools: [], state: 'failed' } })
    expect((await call('good__ecco')).text).toContain('There is no tool named')
    expect((await call('other__echo')).text).toContain('There is no tool named')
  })

  it('knows servers without a prefix, but prefers the one that the name begins with', async () => {
    const { call } = start(
      {
        plain: { tools: [], state: 'failed', detail: 'No prefix.' },
        a: { tools: [], state: 'failed', detail: 'A prefix.' },
      },
      { plain: { prefix: false } },
    )
    expect((await call('a__echo')).text).toContain('A prefix.')
    expect((await call('echo')).text).toContain('No prefix.')
  })
})
