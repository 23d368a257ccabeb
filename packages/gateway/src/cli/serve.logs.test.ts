import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rpcRequest } from '../../../../testing/attacks/rpc-request.ts'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  const missing = { command: 'no-such-command', env: { API_KEY: 'k3y-that-is-secret' } }
  gateway = await serving({
    mcpServers: { missing },
    toolsearch: { telemetry: { logs: 'json' }, audit: {} },
  })
  gateway.env.TOOLSEARCH_TOKEN = 'the-token-of-the-gateway'
})
afterAll(() => gateway.end())

it('writes one JSON object per line to stderr, with its level and without secrets', async () => {
  const child = gateway.spawn('serve', '--http', '--port', '0')
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/Serving 1 server at[^\n]*\n/)
  const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)![0]
  const refuse = () =>
    fetch(url, { method: 'POST', headers: { authorization: 'Bearer wrong-token' } })
  const odd = 'odd\u009b2J\u007f\u202emethod'
  const { method, headers, body } = rpcRequest(odd)
  const authorization = 'Bearer the-token-of-the-gateway'
  await fetch(url, { method, headers: { ...headers, 'mcp-method': 'x', authorization }, body })
  await expect.poll(() => said).toContain('request failed')
  const audit = join(gateway.folder, 'cache', 'audit')
  await rename(audit, `${audit}-before`).catch(() => {})
  await writeFile(audit, 'not a folder')
  await refuse()
  await expect.poll(() => said).toContain('The audit log cannot be written')
  await rm(audit)
  await expect.poll(() => said).toContain('The audit log can be written again')
  const second = gateway.spawn('serve', '--http', '--port', new URL(url).port)
  let err = ''
  second.stderr.on('data', (piece) => {
    err += piece
  })
  expect(await once(second, 'close')).toEqual([2, null])
  const last = JSON.parse(err.trim().split('\n').at(-1)!)
  expect(last).toMatchObject({ level: 'error', msg: expect.stringContaining('in use') })
  await expect.poll(() => said, { timeout: 60_000 }).toContain('1 of 1 server failed: missing')
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  const lines = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.every(({ time, level, msg }) => time && level && msg)).toBe(true)
  const line = (start: string) => lines.find(({ msg }) => msg.startsWith(start))
  expect(line('sign-in refused')).toMatchObject({ level: 'warn', status: 401, path: '/mcp' })
  expect(line('1 of 1 server failed')).toMatchObject({ level: 'warn' })
  expect(line('Serving 1 server')).toMatchObject({ level: 'info' })
  expect(line('The audit log cannot be written')).toMatchObject({ level: 'error' })
  expect(line('The audit log can be written again')).toMatchObject({ level: 'info' })
  expect(line('request failed')).toMatchObject({ level: 'warn', method: odd })
  expect(said).not.toMatch(/[\u007f-\u009f\u202e]/)
  expect(said).not.toMatch(/wrong-token|the-token-of|k3y-that/)
})
