import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { API_ROUTES } from '../../packages/gateway/src/inspection/handle-api.ts'
import { checkProperty } from '../deep.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
let member: string
beforeAll(async () => {
  rig = await startRig({ settings: { profiles: { sales: {} } } })
  member = await rig.key('member')
})
afterAll(() => rig.close())

/** What honest clients rely on, whatever others have sent before. */
async function expectHonestAnswers(): Promise<void> {
  const [health, list] = await Promise.all([
    rig.send({ path: '/healthz' }),
    rig.rpc('tools/list', {}, { as: member }),
  ])
  expect([health.status, list.status]).toEqual([200, 200])
  expect(list.json.result.tools).not.toEqual([])
}

/** Nobody who is not known has reached a handler that needs credentials. */
async function expectNothingDone(before: number): Promise<void> {
  expect(rig.notes.calls).toHaveLength(before)
  const { json } = await rig.send({ path: '/api/keys', as: rig.admin })
  expect(json.keys.map(({ name }: { name: string }) => name).sort()).toEqual(['member', 'rig'])
}

const BODY = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes__write"}}'
const path = fc.constantFrom(
  '/',
  '/mcp',
  '/mcp/p/sales',
  '/api/keys',
  '/api/me',
  '/healthz',
  '/sign-in',
)
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE')
const header = fc.constantFrom(
  'Host: 127.0.0.1',
  'Host: example.com',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade\r\nUpgrade: h2c',
  'Transfer-Encoding: chunked',
  `Content-Length: ${BODY.length}`,
  'Content-Length: 0',
  'Content-Length: 99999999999999999999',
  'Expect: 100-continue',
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  'Authorization: Bearer tsk_x',
  'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.',
  'Cookie: toolsearch=x',
  'Mcp-Method: tools/call',
  'Mcp-Session-Id: x',
  'Mcp-Protocol-Version: 2026-07-28',
  `X-Long: ${'x'.repeat(20_000)}`,
)
const body = fc.constantFrom(
  '',
  BODY,
  '{',
  '[[[[',
  '5\r\nabcde\r\n0\r\n\r\n',
  'ffffffffff\r\n',
  '\0',
)
const request = fc
  .tuple(method, path, fc.array(header, { maxLength: 6 }), body)
  .map(([method, path, headers, body]) =>
    [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n'),
  )

it('answers honest clients after any bytes, and does nothing for nobody', async () => {
  const before = rig.notes.calls.length
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    // Several requests on one connection, of which the last may be cut.
    fc
      .tuple(fc.array(request, { minLength: 1, maxLength: 4 }), fc.nat(200))
      .map(([all, cut]) => Buffer.from(all.join('').slice(0, -cut || undefined), 'latin1')),
  )
  await checkProperty(
    fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 8 }), async (connections) => {
      // The other side of a request that was cut ends it, as a client that goes away does.
      await Promise.all(connections.map((sent) => rig.sendRaw(sent, { endsAfter: true })))
      await expectHonestAnswers()
    }),
    { deepCases: 1_000 },
  )
  await expectNothingDone(before)
})

it('answers honest clients after any message of a member, and always with a status', async () => {
  /** Repeated texts are written out in the request only: messages about a failed case are short. */
  const value = fc.oneof(
    fc.json(),
    fc.integer({ min: 1, max: 9_999 }).map((levels) => `DEEP_LIST(${levels})`),
    fc.integer({ min: 1, max: 9_999 }).map((levels) => `DEEP_OBJECT(${levels})`),
  )
  const written = (text: string) =>
    text
      .replace(/DEEP_LIST\((\d+)\)/g, (_, levels) => '['.repeat(levels) + ']'.repeat(levels))
      .replace(
        /DEEP_OBJECT\((\d+)\)/g,
        (_, levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
      )
  const names = fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'x', '__proto__')
  const message = fc.oneof(
    value,
    fc.string(),
    fc
      .tuple(names, value)
      .map(([name, params]) => `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${params}}`),
    fc.tuple(names, value).map(([name, id]) => `[{"jsonrpc":"2.0","id":${id},"method":"${name}"}]`),
    fc.tuple(value, value).map(([id, result]) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`),
  )
  await checkProperty(
    fc.asyncProperty(message, fc.boolean(), async (body, isModern) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(isModern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }),
      }
      const { status } = await rig.send({
        path: '/mcp',
        method: 'POST',
        headers,
        body: written(body),
        as: member,
      })
      expect(status).toBeLessThan(500)
      await expectHonestAnswers()
    }),
    { deepCases: 2_000 },
  )
  expect(rig.notes.calls).toEqual([])
})

it('names of inherited properties in JSON change nothing but the request itself', async () => {
  const polluted = '{"polluted":{"role":"administrator"}}'
  const names = `"__proto__":${polluted},"constructor":{"prototype":${polluted}},"prototype":${polluted}`
  for (const [path, route] of Object.entries(API_ROUTES)) {
    for (const method of Object.keys(route).filter((method) => method !== 'GET')) {
      for (const body of [
        `{${names}}`,
        `{"values":{${names}},"edit":{${names}}}`,
        `[{${names}}]`,
      ]) {
        const { status } = await rig.send({
          path: `${path.replace('NAME', '__proto__')}?__proto__[polluted]=1`,
          method,
          headers: { 'content-type': 'application/json' },
          body,
          as: rig.admin,
        })
        expect([path, status < 500]).toEqual([path, true])
      }
    }
  }
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const args = JSON.parse(`{${names}}`)
    const { json } = await rig.rpc('tools/call', { name, arguments: args }, { as: member })
    expect(json).toBeDefined()
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  await expectHonestAnswers()
})
