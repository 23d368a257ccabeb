import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  const missing = { command: 'no-such-command', env: { API_KEY: 'k3y-that-is-secret' } }
  gateway = await serving({
    mcpServers: { missing },
    toolsearch: { telemetry: { logs: 'json' } },
  })
  gateway.env.TOOLSEARCH_TOKEN = 'the-token-of-the-gateway'
})
afterAll(() => gateway.end())

it('writes one JSON object per line to stderr, without secrets', async () => {
  const child = gateway.start('serve', '--http', '--port', '0')
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/Serving 1 server at[^\n]*\n/)
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)![0]
  await fetch(url, { method: 'POST', headers: { authorization: 'Bearer wrong-token' } })
  await expect.poll(() => said).toContain('sign-in refused')
  await expect.poll(() => said, { timeout: 60_000 }).toContain('1 of 1 server failed: missing')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  const lines = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.every(({ time, level, msg }) => time && level && msg)).toBe(true)
  expect(lines.find(({ msg }) => msg === 'sign-in refused')).toMatchObject({
    level: 'warn',
    status: 401,
    path: '/mcp',
  })
  expect(said).not.toMatch(/wrong-token|the-token-of|k3y-that/)
})
