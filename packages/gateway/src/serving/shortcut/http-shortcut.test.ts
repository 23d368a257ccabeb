import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json-object.ts'
import {
  CALLS_WITH_MORE,
  call,
  caseGateway,
  EITHER_CALLS,
  type EraName,
  OTHER_CALLS,
  PLAIN_CALLS,
  withoutIds,
} from '../call-cases.fixtures.ts'
import { type HttpService, serveHttp } from '../http/serve-http.ts'
import { answerPost } from './answer-post.ts'

/** One that answers calls itself, and one that leaves all to the SDK. */
interface Side {
  readonly behind: ReturnType<typeof caseGateway>
  readonly service: HttpService
  /** Whether the last call was begun without the SDK, and whether it was ended without it. */
  last: { isBegun: boolean; isPassedOn: boolean }
  session?: string
}

async function start(answers: boolean, mode?: 'dynamic'): Promise<Side> {
  const behind = caseGateway(mode)
  const answer = answerPost(behind.factory)
  const side: { last: Side['last'] } = { last: { isBegun: false, isPassedOn: false } }
  const service = await serveHttp(behind.factory, {
    maxBody: 10_000,
    ...(answers && {
      answerPost(post) {
        const last = { isBegun: false, isPassedOn: false }
        side.last = last
        const passOn: typeof post.passOn = (factory) => {
          last.isPassedOn = true
          post.passOn(factory)
        }
        last.isBegun = answer({ ...post, passOn })
        return last.isBegun
      },
    }),
  })
  return Object.assign(side, { behind, service })
}

const sides: Side[] = []
beforeAll(async () => {
  sides.push(await start(true), await start(false))
  for (const side of sides) side.session = await openSession(side)
})
afterAll(async () => {
  await Promise.all(sides.map(({ service }) => service.close()))
})

async function openSession({ service }: Side, capabilities: JsonObject = {}): Promise<string> {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
  const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
  const response = await send(service, body, headersOf('2025-11-25', {}))
  await response.text()
  return response.headers.get('mcp-session-id')!
}

function headersOf(era: EraName, params: JsonObject, session?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': era,
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(era === '2026-07-28' && {
      'mcp-method': 'tools/call',
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    }),
  }
}

function send(service: HttpService, body: unknown, headers: Record<string, string>) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(service.url, { method: 'POST', headers, body: text })
}

/** The status and the messages, whether they came one by one or all at once. */
async function read(response: Response) {
  const said = await response.text()
  const isStream = response.headers.get('content-type')?.includes('event-stream')
  const texts = isStream ? [...said.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!) : [said]
  const messages = texts.map((one) => (one === '' ? one : JSON.parse(one)))
  return { status: response.status, messages }
}

describe.each<[string, EraName]>([
  ['in a session of the older era', '2025-11-25'],
  ['of the newer era', '2026-07-28'],
])('a posted call %s', (_, era) => {
  /** Posts to both, which say the same. */
  async function compare(body: unknown, params: JsonObject, more: Record<string, string> = {}) {
    const [ours, theirs] = await Promise.all(
      sides.map(async ({ behind, service, session }) => {
        behind.clients.length = 0
        const headers = headersOf(era, params, era === '2025-11-25' ? session : undefined)
        const answer = await read(await send(service, body, { ...headers, ...more }))
        const clients = behind.clients.map((client) => ({
          ...client,
          isConnection: client?.id === session?.slice(0, 8),
          id: undefined,
        }))
        return withoutIds({ ...answer, clients })
      }),
    )
    expect(ours).toEqual(theirs)
    return { ...ours!, ...(sides[0] as Side).last }
  }

  it.each(PLAIN_CALLS)('is answered as the SDK does, without it: %s', async (_name, params) => {
    const { isBegun, isPassedOn, clients } = await compare(call(era, params), params)
    expect({ isBegun, isPassedOn }).toEqual({ isBegun: true, isPassedOn: false })
    expect(clients).toEqual([{ name: 'test', isConnection: era === '2025-11-25' }])
  })

  it.each(CALLS_WITH_MORE)('is gone on with by the SDK: %s', async (_name, params) => {
    const { isBegun, isPassedOn, clients } = await compare(call(era, params), params)
    expect({ isBegun, isPassedOn }).toEqual({ isBegun: true, isPassedOn: true })
    expect(clients).toEqual([{ name: 'test', isConnection: era === '2025-11-25' }])
  })

  it.each(EITHER_CALLS)('is answered as the SDK does: %s', async (_name, params) => {
    await compare(call(era, params), params)
  })

  it.each(OTHER_CALLS)('is left to the SDK: %s', async (_name, params) => {
    expect((await compare(call(era, params), params)).isBegun).toBe(false)
  })

  const params = { name: 's__failing', arguments: {} }
  it.each<[string, Record<string, string>]>([
    ['an unknown version', { 'mcp-protocol-version': '2030-01-01' }],
    ['a client that takes no streams', { accept: 'application/json' }],
  ])('is left to the SDK with %s', async (_name, headers) => {
    expect((await compare(call(era, params), params, headers)).isBegun).toBe(false)
  })

  it('is left to the SDK when the body is no JSON by its type', async () => {
    await compare(call(era, params), params, { 'content-type': 'text/plain' })
  })

  it.each<[string, unknown]>([
    ['no JSON', '{"jsonrpc"'],
    ['null', 'null'],
    ['nothing', ''],
    ['a list', [call(era, params)]],
    ['another request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an id that is none', call(era, params, {})],
    ['a progress token that is none', call(era, { ...params, _meta: { progressToken: {} } })],
    ['a call without an id', { ...call(era, params), id: undefined }],
  ])('is left to the SDK when the body is %s', async (_name, body) => {
    expect((await compare(body, params)).isBegun).toBe(false)
  })

  it('is left to the SDK when the body is too long', async () => {
    const long = { ...params, arguments: { text: 'x'.repeat(20_000) } }
    expect((await compare(call(era, long), params)).status).toBe(413)
  })
})

describe.each([0, 1])('a posted call, one of the two ways (%i)', (at) => {
  const endless = { name: 's__endless', arguments: {} }
  /** Waits for one more call to reach the server. */
  const oneMore = ({ behind }: Side) => {
    const { length } = behind.called
    return () => expect.poll(() => behind.called.length).toBe(length + 1)
  }

  it('of the newer era is cancelled when the client goes away', async () => {
    const side = sides[at]!
    const before = side.behind.cancelled()
    const isCalled = oneMore(side)
    const controller = new AbortController()
    const asked = fetch(side.service.url, {
      method: 'POST',
      headers: headersOf('2026-07-28', endless),
      body: JSON.stringify(call('2026-07-28', endless)),
      signal: controller.signal,
    })
    await isCalled()
    controller.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => side.behind.cancelled()).toBe(before + 1)
  })

  it('in a session is cancelled when the client says so', async () => {
    const side = sides[at]!
    const before = side.behind.cancelled()
    const isCalled = oneMore(side)
    const headers = headersOf('2025-11-25', endless, side.session)
    const asked = send(side.service, call('2025-11-25', endless, 77), headers)
    // it may never be answered
    asked.catch(() => {})
    await isCalled()
    const params = { requestId: 77 }
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    expect((await send(side.service, cancel, headers)).status).toBe(202)
    await expect.poll(() => side.behind.cancelled()).toBe(before + 1)
  })

  it('in a session that is ended meanwhile is answered with an error', async () => {
    const side = sides[0]!
    const session = await openSession(side)
    const headers = headersOf('2025-11-25', { name: 's__endless' }, session)
    const [calls, before] = [side.behind.called.length, side.behind.cancelled()]
    const asked = send(side.service, call('2025-11-25', { name: 's__endless' }, 78), headers)
    await expect.poll(() => side.behind.called.length).toBe(calls + 1)
    await fetch(side.service.url, { method: 'DELETE', headers })
    expect(await (await asked).json()).toMatchObject({ id: 78, error: { code: -32_000 } })
    expect(side.behind.cancelled()).toBe(before + 1)
  })

  it('in a session lets its list grow in mode dynamic', async () => {
    const side = await start(at === 0, 'dynamic')
    const session = await openSession(side)
    const search = { name: 'tool_search', arguments: { query: 'select:s__say' } }
    const headers = headersOf('2025-11-25', {}, session)
    await read(await send(side.service, call('2025-11-25', search), headers))
    const list = { jsonrpc: '2.0', id: 6, method: 'tools/list' }
    const { messages } = await read(await send(side.service, list, headers))
    expect(JSON.stringify(messages)).toContain('"s__say"')
    await side.service.close()
  })
})

describe('a posted call', () => {
  const params = { name: 's__failing', arguments: {} }

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'of the newer era is left to the SDK without %s',
    async (name) => {
      const { [name]: _, ...headers } = headersOf('2026-07-28', params)
      const body = call('2026-07-28', params)
      const [ours, theirs] = await Promise.all(
        sides.map(async ({ service }) => read(await send(service, body, headers))),
      )
      expect(ours).toEqual(theirs)
      expect(ours!.status).toBe(400)
    },
  )

  it.each(['mcp-method', 'mcp-name'])(
    'of the newer era is left to the SDK with another %s',
    async (name) => {
      const headers = { ...headersOf('2026-07-28', params), [name]: 'other' }
      const body = call('2026-07-28', params)
      const [ours, theirs] = await Promise.all(
        sides.map(async ({ service }) => read(await send(service, body, headers))),
      )
      expect(ours).toEqual(theirs)
    },
  )

  it('in a session whose client can be asked something is left to the SDK', async () => {
    const side = sides[0]!
    const session = await openSession(side, { sampling: {} })
    const headers = headersOf('2025-11-25', params, session)
    await read(await send(side.service, call('2025-11-25', params), headers))
    expect(side.last.isBegun).toBe(false)
  })

  it('in a session that is over is told so', async () => {
    const headers = headersOf('2025-11-25', params, 'gone')
    expect((await send(sides[0]!.service, call('2025-11-25', params), headers)).status).toBe(404)
  })
})
