import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const SECRET = 'hunter2-is-my-password'
const entry = (faults: Parameters<typeof faultyServer>[0], env = {}) => ({
  ...faultyServer(faults).connection,
  kind: undefined,
  env,
})

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({
    mcpServers: {
      good: entry({}),
      unset: entry({}, { API_KEY: `\${NOT_SET}` }),
      leaking: entry({ crashAtStart: true, stderr: `Rejected ${SECRET}` }, { API_KEY: SECRET }),
    },
  })
})
afterAll(() => gateway.end())

describe('a server with an unset variable', () => {
  it('does not keep the others from being served, and is reported', async () => {
    const command = gateway.start('serve', '--http', '--port', '0')
    await expect.poll(() => command.err, { timeout: 60_000 }).toMatch(/\/mcp/)
    const url = new URL('/api/overview', /http:\S+\/mcp/.exec(command.err)![0])
    const overview = async () => (await (await fetch(url)).json()) as { servers: object[] }
    const { servers } = await until(overview, (all) => JSON.stringify(all).includes('"ready"'))
    expect(servers).toContainEqual(expect.objectContaining({ name: 'good', state: 'ready' }))
    expect(servers).toContainEqual(
      expect.objectContaining({
        name: 'unset',
        state: 'failed',
        detail: expect.stringMatching(
          /^toolsearch\.json, line 1: "API_KEY".* needs the environment variable NOT_SET, which is not set\. Set NOT_SET/,
        ),
      }),
    )
    expect(command.err).toContain('unset. toolsearch.json, line 1: "API_KEY"')
    await expect.poll(() => command.err, { timeout: 60_000 }).toContain('leaking. ')
    expect(command.err + JSON.stringify(await overview())).not.toContain(SECRET)
  })

  it('is reported by doctor, which exits with 1', async () => {
    const { code, out, err } = await gateway.run('doctor')
    expect(code).toBe(1)
    expect(out).toMatch(/✓ good/)
    expect(out).toMatch(/✗ unset: failed\n.*NOT_SET, which is not set/)
    expect(out).toContain('Rejected ***')
    expect(out + err).not.toContain(SECRET)
  })
})

it('masks secrets in the output of commands', async () => {
  const runs = await Promise.all([
    gateway.run('doctor', '--json'),
    gateway.run('search', 'echo'),
    gateway.run('call', 'leaking__echo', '{}'),
  ])
  const shown = runs.map(({ out, err }) => out + err).join('\n')
  expect(shown).toContain('Rejected ***')
  expect(shown).not.toContain(SECRET)
})
