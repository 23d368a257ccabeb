import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json-object.ts'
import {
  call,
  caseGateway,
  ERA_DEPENDENT_CALLS,
  type EraName,
  PLAIN_CALLS,
  SDK_CALLS,
  TAKEN_OVER_CALLS,
  withoutIds,
} from '../call-cases.fixtures.ts'
import { type HttpService, serveHttp } from '../http/serve-http.ts'
import type { ShortcutCalls } from './shortcut-calls.ts'

/** A gateway with the shortcut on, or one with the shortcut off. */
interface Side {
  readonly behind: ReturnType<typeof caseGateway>
  readonly service: HttpService
  /** Whether the shortcut has started the latest call, and whether it has passed it on to the SDK. */
  last: { isStarted: boolean; isPassedOn: boolean }
  session?: string
}

async function start(shortcut: boolean, mode?: 'dynamic'): Promise<Side> {
  const behind = caseGateway({ mode, shortcut })
  const side: { last: Side['last'] } = { last: { isStarted: false, isPassedOn: false } }
  const watch = (calls: ShortcutCalls): ShortcutCalls => ({
    ...calls,
    start(request, handlers) {
      const last = { isStarted: false, isPassedOn: false }
      side.last = last
      const passOn = () => {
        last.isPassedOn = true
        handlers.passOn()
      }
      last.isStarted = calls.start(request, { ...handlers, passOn })
      return last.isStarted
    },
  })
  const { factory } = behind
  const watched = Object.assign((context: Parameters<typeof factory>[0]) => factory(context), {
    local: factory.local,
    prepareListen: factory.prepareListen,
    callTasks: factory.callTasks,
    shortcut() {
      side.last = { isStarted: false, isPassedOn: false }
      const found = factory.shortcut()
      return (
        found && {
          callsOf: (server: Parameters<typeof found.callsOf>[0]) => watch(found.callsOf(server)),
          forRequest(caller: Parameters<typeof found.forRequest>[0]) {
            const single = found.forRequest(caller)
            return { ...single, calls: watch(single.calls) }
          },
        }
      )
    },
  })
  const { gateway, servers } = behind
  const service = await serveHttp(watched, { gateway, servers, maxBody: 10_000 })
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

/** The status and the messages, whether they came as a stream or as a single response. */
async function read(response: Response) {
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.includes('event-stream')
  const texts = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!) : [text]
  const messages = texts.map((json) => (json === '' ? json : JSON.parse(json)))
  return { status: response.status, messages }
}

describe.each<[string, EraName]>([
  ['in a legacy session', '2025-11-25'],
  ['of a modern client', '2026-07-28'],
])('a call over HTTP %s', (_, era) => {
  /** Sends a body to both gateways and expects the same response. */
  async function compare(body: unknown, params: JsonObject, more: Record<string, string> = {}) {
    const [on, off] = await Promise.all(
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
    expect(on).toEqual(off)
    return { ...on!, ...(sides[0] as Side).last }
  }

  it.each(PLAIN_CALLS)(
    'is answered by the shortcut exactly as by the SDK: %s',
    async (_name, params) => {
      const { isStarted, isPassedOn, clients } = await compare(call(era, params), params)
      expect({ isStarted, isPassedOn }).toEqual({ isStarted: true, isPassedOn: false })
      expect(clients).toEqual([{ name: 'test', isConnection: era === '2025-11-25' }])
    },
  )

  it.each(TAKEN_OVER_CALLS)(
    'is started by the shortcut and taken over by the SDK, with the same answer: %s',
    async (_name, params) => {
      const { isStarted, isPassedOn, clients } = await compare(call(era, params), params)
      expect({ isStarted, isPassedOn }).toEqual({ isStarted: true, isPassedOn: true })
      expect(clients).toEqual([{ name: 'test', isConnection: era === '2025-11-25' }])
    },
  )

  it.each(ERA_DEPENDENT_CALLS)(
    'has the same answer with the shortcut on and off: %s',
    async (_name, params) => {
      await compare(call(era, params), params)
    },
  )

  it.each(SDK_CALLS)('is left to the SDK, with the same answer: %s', async (_name, params) => {
    expect((await compare(call(era, params), params)).isStarted).toBe(false)
  })

  const params = { name: 's__failing', arguments: {} }
  it.each<[string, Record<string, string>]>([
    ['an unknown protocol version', { 'mcp-protocol-version': '2030-01-01' }],
    ['a client that does not accept event streams', { accept: 'application/json' }],
  ])('is left to the SDK when it has %s', async (_name, headers) => {
    expect((await compare(call(era, params), params, headers)).isStarted).toBe(false)
  })

  it('is left to the SDK when the content type is not JSON', async () => {
    await compare(call(era, params), params, { 'content-type': 'text/plain' })
  })

  it.each<[string, unknown]>([
    ['invalid JSON', '{"jsonrpc"'],
    ['null', 'null'],
    ['empty', ''],
    ['an array', [call(era, params)]],
    ['another request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a call with an invalid id', call(era, params, {})],
    [
      'a call with an invalid progress token',
      call(era, { ...params, _meta: { progressToken: {} } }),
    ],
    ['a call without an id', { ...call(era, params), id: undefined }],
  ])('is left to the SDK or rejected alike when the body is %s', async (_name, body) => {
    expect((await compare(body, params)).isStarted).toBe(false)
  })

  it('is rejected when the body exceeds the limit', async () => {
    const long = { ...params, arguments: { text: 'x'.repeat(20_000) } }
    expect((await compare(call(era, long), params)).status).toBe(413)
  })
})

describe.each([
  ['on', 0],
  ['off', 1],
] as const)('a call over HTTP with the shortcut %s', (_, at) => {
  const endless = { name: 's__endless', arguments: {} }
  /** Returns a function that waits until one more call has reached the server. */
  const nextCall = ({ behind }: Side) => {
    const { length } = behind.called
    return () => expect.poll(() => behind.called.length).toBe(length + 1)
  }

  it('is cancelled when a modern client disconnects', async () => {
    const side = sides[at]!
    const before = side.behind.cancelled()
    const untilCalled = nextCall(side)
    const controller = new AbortController()
    const asked = fetch(side.service.url, {
      method: 'POST',
      headers: headersOf('2026-07-28', endless),
      body: JSON.stringify(call('2026-07-28', endless)),
      signal: controller.signal,
    })
    await untilCalled()
    controller.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => side.behind.cancelled()).toBe(before + 1)
  })

  it('is cancelled by notifications/cancelled in a legacy session', async () => {
    const side = sides[at]!
    const before = side.behind.cancelled()
    const untilCalled = nextCall(side)
    const headers = headersOf('2025-11-25', endless, side.session)
    const asked = send(side.service, call('2025-11-25', endless, 77), headers)
    // A cancelled call may never be answered.
    asked.catch(() => {})
    await untilCalled()
    const params = { requestId: 77 }
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    expect((await send(side.service, cancel, headers)).status).toBe(202)
    await expect.poll(() => side.behind.cancelled()).toBe(before + 1)
  })

  it('is answered with an error when its legacy session is closed', async () => {
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

  it('adds found tools to the list of a legacy session in mode dynamic', async () => {
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

describe('a call over HTTP', () => {
  const params = { name: 's__failing', arguments: {} }

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'is rejected by the SDK when a modern client omits the header %s',
    async (name) => {
      const { [name]: _, ...headers } = headersOf('2026-07-28', params)
      const body = call('2026-07-28', params)
      const [on, off] = await Promise.all(
        sides.map(async ({ service }) => read(await send(service, body, headers))),
      )
      expect(on).toEqual(off)
      expect(on!.status).toBe(400)
    },
  )

  it.each(['mcp-method', 'mcp-name'])(
    'is left to the SDK when a modern client sends a wrong header %s',
    async (name) => {
      const headers = { ...headersOf('2026-07-28', params), [name]: 'other' }
      const body = call('2026-07-28', params)
      const [on, off] = await Promise.all(
        sides.map(async ({ service }) => read(await send(service, body, headers))),
      )
      expect(on).toEqual(off)
    },
  )

  it('is left to the SDK when the client can answer server requests', async () => {
    const side = sides[0]!
    const session = await openSession(side, { sampling: {} })
    const headers = headersOf('2025-11-25', params, session)
    await read(await send(side.service, call('2025-11-25', params), headers))
    expect(side.last.isStarted).toBe(false)
  })

  it('is answered with 404 when its session does not exist', async () => {
    const headers = headersOf('2025-11-25', params, 'gone')
    expect((await send(sides[0]!.service, call('2025-11-25', params), headers)).status).toBe(404)
  })
})
