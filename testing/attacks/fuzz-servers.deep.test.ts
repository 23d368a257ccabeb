import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkProperty } from '../deep.ts'
import { type HostileGateway, openHostileGateway } from './hostile-gateway.ts'

/** What the servers under test answer a call with: pieces that are sent one after the other. */
const TOOLS = [{ name: 'attack', description: 'Attacks.', inputSchema: { type: 'object' } }]
const OVER_STDIO = `
  const tools = ${JSON.stringify(TOOLS)}
  const answer = async (method, params) => {
    if (method !== 'tools/call') return method === 'tools/list' ? { tools } : undefined
    for (const piece of params.arguments.pieces) {
      process.stdout.write(Buffer.from(piece, 'base64'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { content: [] }
  }
`

let http: Server
let hostile: HostileGateway
beforeAll(async () => {
  http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method, params } = body === '' ? ({} as never) : JSON.parse(body)
    if (id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end()
      return
    }
    if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': params.arguments.type })
      for (const piece of params.arguments.pieces) {
        response.write(Buffer.from(piece, 'base64'))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
      return
    }
    const serverInfo = { name: 'hostile', version: '1' }
    const capabilities = { tools: {} }
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities, serverInfo }
        : method === 'tools/list'
          ? { tools: TOOLS }
          : {}
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  hostile = await openHostileGateway(
    { stdio: OVER_STDIO },
    {
      mode: 'passthrough',
      // A stream that ends without an answer fails the call at the latest then.
      limits: { callMs: 300, messageBytes: 100_000 },
    },
    { http: { url } },
  )
  await hostile.gateway.ready()
})
afterAll(async () => {
  await hostile.close()
  http.closeAllConnections()
  http.close()
})

/** `String` throws for it. */
// biome-ignore lint/suspicious/noThenProperty: what would be awaited by mistake
const NOT_TEXT = { toString: 1, valueOf: 1, toJSON: 1, then: 1, constructor: 1 }
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, -1, 1.5, 1e300, '', '__proto__', [1], {}, 2 ** 53, NOT_TEXT, [NOT_TEXT]),
)
const message = fc.oneof(
  fc.json(),
  fc
    .record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), value),
        id: fc.oneof(fc.nat(30), value),
        method: fc.oneof(
          fc.constantFrom(
            'notifications/progress',
            'notifications/cancelled',
            'notifications/message',
            'sampling/createMessage',
            'elicitation/create',
            'roots/list',
            'ping',
            'tools/call',
          ),
          value,
        ),
        params: value,
        result: fc.oneof(
          value,
          fc.record({ content: value, structuredContent: value, isError: value, _meta: value }),
        ),
        error: fc.oneof(value, fc.record({ code: value, message: value, data: value })),
      },
      { requiredKeys: [] },
    )
    .map((parts) => JSON.stringify(parts)),
  fc.array(fc.json(), { maxLength: 3 }).map((all) => `[${all.join(',')}]`),
  fc.integer({ min: 1, max: 20_000 }).map((levels) => '['.repeat(levels)),
)
const bytes = fc.oneof(
  { weight: 4, arbitrary: message.map((text) => Buffer.from(text)) },
  fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)),
  fc
    .constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\n\n',
      '\r\r',
      '\ufeff',
      '\0',
      '\u2028',
      'data:',
      'data: ',
      'event: message\n',
      'event: x\n',
      'id: \0\n',
      'retry: 99999999\n',
      ': ping\n',
    )
    .map((text) => Buffer.from(text)),
  fc
    .constantFrom([0xc0, 0x80], [0xff, 0xfe], [0xe2, 0x82], [0xed, 0xa0, 0x80])
    .map((all) => Buffer.from(all)),
  fc.integer({ min: 1_000, max: 150_000 }).map((length) => Buffer.alloc(length, 'x')),
)

/** Puts every part on a line or into an event of its own, and cuts all of it at other places. */
const pieces = fc
  .tuple(
    fc.array(bytes, { maxLength: 12 }),
    fc.constantFrom(
      ['', '\n'],
      ['', '\r\n'],
      ['', '\r'],
      ['', ''],
      ['data: ', '\n\n'],
      ['data:', '\r\n\r\n'],
      ['event: message\rdata: ', '\r\r'],
    ),
    fc.array(fc.nat(300), { maxLength: 6 }),
  )
  .map(([parts, [before, after], cuts]) => {
    const all = Buffer.concat(
      parts.flatMap((part) => [Buffer.from(before!), part, Buffer.from(after!)]),
    )
    const places = [0, ...cuts.sort((a, b) => a - b), all.length]
    return places.slice(1).map((place, at) => all.subarray(places[at], place).toString('base64'))
  })
const type = fc.constantFrom(
  'text/event-stream',
  'application/json',
  'text/plain',
  'text/event-stream; charset=utf-16',
)

it('calls to another server are answered whatever a server sends', async () => {
  let count = 0
  await checkProperty(
    fc.asyncProperty(
      fc.constantFrom('stdio', 'http'),
      pieces,
      type,
      async (server, pieces, type) => {
        const attack = hostile.call(`${server}__attack`, { pieces, type })
        count += 1
        const message = `call ${count}`
        expect(await hostile.call('honest__echo', { message })).toBe(JSON.stringify({ message }))
        expect(typeof (await attack)).toBe('string')
        expect(await hostile.call('honest__echo', { message })).toBe(JSON.stringify({ message }))
      },
    ),
    { deepCases: 400 },
  )
})
