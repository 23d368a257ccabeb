import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from './run-here.fixtures.ts'
import { recorded, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({ mcpServers: { everything: recorded } })
  const crash = join(gateway.folder, 'crash.mjs')
  writeFileSync(crash, "console.error('Missing API_KEY'); process.exit(3)")
  const crashing = { command: process.execPath, args: [crash] }
  await gateway.write({ mcpServers: { first: recorded, second: recorded, crashing } })
})
afterAll(() => gateway.end())

it('doctor names each failing server and its output once, and two overlapping servers in one line', async () => {
  const { code, out, err } = await gateway.run('doctor')
  expect(code).toBe(1)
  const all = out + err
  expect(all.match(/^. crashing: failed$/gm)).toHaveLength(1)
  expect(all.match(/Missing API_KEY/g)).toHaveLength(1)
  expect(all.match(/overlap/g)).toHaveLength(1)
  expect(out).toMatch(/^! first and second overlap: \d+ tools with the same name or description/m)
  expect(out.split('\n').filter((line) => line.startsWith('!')).length).toBeLessThan(4)
}, 60_000)

it('doctor and cost say that a small setup costs more than it saves, and what to do', async () => {
  const script = join(gateway.folder, 'tiny.mjs')
  writeFileSync(
    script,
    `import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const results = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } },
    'tools/list': { tools: [{ name: 'ping', description: 'Ping.', inputSchema: { type: 'object' } }] },
  }
  if (id === undefined) return
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'no' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
})`,
  )
  await gateway.write({ mcpServers: { tiny: { command: process.execPath, args: [script] } } })
  const advice =
    /tool search costs [\d,]+ tokens more per request than it saves\. Set "mode": "auto"/
  expect((await gateway.run('doctor')).out).toMatch(advice)
  const cost = await gateway.run('cost')
  expect(cost.out).toMatch(advice)
  expect(cost.out).not.toMatch(/-\d/)
  const report = JSON.parse((await gateway.run('cost', '--json')).out)
  expect(report).toMatchObject({ savedPerTurn: 0, savedPer100Turns: 0 })
  expect(report.extraPerTurn).toBeGreaterThan(0)
}, 60_000)

it('serve --http reports servers as they fail', async () => {
  await gateway.write({
    mcpServers: { everything: recorded, missing: { command: 'no-such-program' } },
  })
  const command = gateway.start('serve', '--http', '--port', '0')
  await expect
    .poll(() => command.err, { timeout: 30_000 })
    .toMatch(/1 of 2 servers failed: missing\. .+\nRun toolsearch doctor for details\./)
}, 60_000)

it('doctor reports an embedding model that does not respond, and nothing about one that works', async () => {
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 0] }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const toolsearch = { embedder: { url, model: 'my-model' } }
  await gateway.write({ mcpServers: { everything: recorded }, toolsearch })
  const working = await gateway.run('doctor')
  expect(working.code).toBe(0)
  expect(working.out).not.toContain('my-model')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const dead = await gateway.run('doctor')
  expect(dead.code).toBe(1)
  expect(dead.out).toContain(
    `The embedding model "my-model" at ${url} does not work: ECONNREFUSED.`,
  )
}, 60_000)

it('fits a narrow terminal', async () => {
  const name = 'a-server-with-a-rather-long-name'
  const toolsearch = { deny: ['a rule that matches none of these tools'] }
  await gateway.write({ mcpServers: { [name]: recorded }, toolsearch })
  for (const line of [['cost'], ['search', 'sum of two numbers'], ['doctor']]) {
    const place = { env: gateway.env, cwd: gateway.folder, columns: 40 }
    const { out } = await runHere([...line, '-c', 'toolsearch.json'], place)
    const lines = out.split('\n')
    const table = lines.filter((each) => !each.includes('equest') && !each.includes('__'))
    expect(table.length).toBeGreaterThan(0)
    for (const each of table) expect(each.length).toBeLessThanOrEqual(40)
  }
}, 60_000)
