import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({ mcpServers: { missing: { command: 'no-such-command' } } })
  gateway.env.TOOLSEARCH_TOKEN = ''
})
afterAll(() => gateway.end())

it('does not listen on other addresses with an empty token', async () => {
  const { code, err } = await gateway.run('serve', '--http', '--host', '0.0.0.0')
  expect(code).toBe(2)
  expect(err).toContain('TOOLSEARCH_TOKEN is set but empty')
})

it('warns about an empty token on loopback', async () => {
  const command = gateway.start('serve', '--http', '--port', '0')
  await expect.poll(() => command.err, { timeout: 30_000 }).toContain('so no token is required')
  const url = /http:\S+\/mcp/.exec(command.err)![0]
  expect((await fetch(new URL('/api/overview', url))).status).toBe(200)
})
