import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { nodeServer } from '../upstreams/fixtures/servers.fixtures.ts'
import { type Serving, serving, until } from './serving.fixtures.ts'

const program = join(import.meta.dirname, '../upstreams/fixtures/odd-server.mjs')

let served: Serving
let url: string
beforeAll(async () => {
  const odd = { command: process.execPath, args: [program] }
  const many = { command: process.execPath, args: [program, '2500'] }
  served = await serving({ mcpServers: { odd, many }, toolsearch: { mode: 'passthrough' } })
  url = (await served.http()).url
})
afterAll(() => served.end())

const META = 'io.modelcontextprotocol'

/** Sends a raw request: a client library would parse and change the answer. */
async function ask(method: string, params: JsonObject, isModern: boolean): Promise<JsonObject> {
  const version = isModern ? '2026-07-28' : '2025-11-25'
  const _meta = {
    [`${META}/protocolVersion`]: version,
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(isModern && { 'mcp-method': method }),
      ...(isModern && typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, ...(isModern && { _meta }) },
    }),
  })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data: {'))
  const answer = JSON.parse(line?.slice(6) ?? text)
  return answer.result ?? answer
}

async function pages(isModern: boolean): Promise<McpTool[][]> {
  const all: McpTool[][] = []
  let cursor: unknown
  do {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor }, isModern)
    all.push(page.tools as McpTool[])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

describe.each([false, true])('mode passthrough (modern protocol: %j)', (isModern) => {
  it('lists the unchanged definitions of the server, in pages', async () => {
    const direct = createUpstream(nodeServer([program]))
    await direct.connect()
    const all = await until(
      () => pages(isModern),
      (list) => list.flat().length === 2_501,
    )
    expect(all.map(({ length }) => length)).toEqual([1_000, 1_000, 501])
    const names = all.flat().map(({ name }) => name)
    expect(new Set(names).size).toBe(2_501)
    expect((await pages(isModern)).flat().map(({ name }) => name)).toEqual(names)
    const odd = all.flat().find(({ name }) => name === 'odd__odd_0')
    expect(odd).toEqual({ ...direct.tools[0], name: 'odd__odd_0' })
    await direct.close()
  })

  it('rejects an invalid cursor', async () => {
    expect(await ask('tools/list', { cursor: 'nonsense' }, isModern)).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('returns the unchanged results of the server', async () => {
    const direct = createUpstream(nodeServer([program]))
    const expected = await direct.request('tools/call', { name: 'odd_0', arguments: {} })
    const { _meta, resultType, ...rest } = await ask(
      'tools/call',
      { name: 'odd__odd_0', arguments: {} },
      isModern,
    )
    const { _meta: expectedMeta, ...expectedRest } = expected
    expect(rest).toEqual(expectedRest)
    expect(_meta).toMatchObject(expectedMeta as object)
    expect(resultType).toBe(isModern ? 'complete' : undefined)
    await direct.close()
  })
})
