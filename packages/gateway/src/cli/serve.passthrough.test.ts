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

/** Without a client that would read the answer for us. */
async function ask(method: string, params: JsonObject, isNewer: boolean): Promise<JsonObject> {
  const version = isNewer ? '2026-07-28' : '2025-11-25'
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
      ...(isNewer && { 'mcp-method': method }),
      ...(isNewer && typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, ...(isNewer && { _meta }) },
    }),
  })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data: {'))
  const answer = JSON.parse(line?.slice(6) ?? text)
  return answer.result ?? answer
}

async function pages(isNewer: boolean): Promise<McpTool[][]> {
  const all: McpTool[][] = []
  let cursor: unknown
  do {
    const page = await ask('tools/list', cursor === undefined ? {} : { cursor }, isNewer)
    all.push(page.tools as McpTool[])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return all
}

describe.each([false, true])('in mode passthrough (newer protocol: %j)', (isNewer) => {
  it('definitions are as the server gave them, in pages', async () => {
    const direct = createUpstream(nodeServer([program]))
    await direct.connect()
    const all = await until(
      () => pages(isNewer),
      (list) => list.flat().length === 2_501,
    )
    expect(all.map(({ length }) => length)).toEqual([1_000, 1_000, 501])
    const names = all.flat().map(({ name }) => name)
    expect(new Set(names).size).toBe(2_501)
    expect((await pages(isNewer)).flat().map(({ name }) => name)).toEqual(names)
    const odd = all.flat().find(({ name }) => name === 'odd__odd_0')
    expect(odd).toEqual({ ...direct.tools[0], name: 'odd__odd_0' })
    await direct.close()
  })

  it('a cursor that is none is refused', async () => {
    expect(await ask('tools/list', { cursor: 'nonsense' }, isNewer)).toMatchObject({
      error: { code: -32602 },
    })
  })

  it('results are as the server gave them', async () => {
    const direct = createUpstream(nodeServer([program]))
    const expected = await direct.request('tools/call', { name: 'odd_0', arguments: {} })
    const { _meta, resultType, ...rest } = await ask(
      'tools/call',
      { name: 'odd__odd_0', arguments: {} },
      isNewer,
    )
    const { _meta: expectedMeta, ...expectedRest } = expected
    expect(rest).toEqual(expectedRest)
    expect(_meta).toMatchObject(expectedMeta as object)
    expect(resultType).toBe(isNewer ? 'complete' : undefined)
    await direct.close()
  })
})
