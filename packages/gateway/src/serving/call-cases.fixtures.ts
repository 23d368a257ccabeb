import { createGateway, type Gateway } from '../offering/gateway.ts'
import type { CallOptions, GatewayView } from '../offering/gateway-view.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { type GatewayServerFactory, mcpServer } from './mcp-server.ts'

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const text = (words: string) => ({ type: 'text', text: words })
const form = { message: 'Sure?', mode: 'form', requestedSchema: { type: 'object', properties: {} } }

/** Results by tool name. */
const RESULTS: Record<string, JsonObject> = {
  structured: { content: [text('{"a":1}')], structuredContent: { a: 1 }, _meta: { trace: 'x' } },
  failing: { content: [text('it did not work')], isError: true },
  long: { content: [text('x'.repeat(600)), text('y'.repeat(600))] },
  modern: {
    content: [text('done')],
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'behind', version: '2' } },
  },
  empty: {},
  list: { content: [text('[1]')], structuredContent: [1] },
  picture: { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] },
  annotated: { content: [{ ...text('for you'), annotations: { audience: ['user'] }, odd: 1 }] },
  odd: { content: [{ type: 'hologram', data: 'AA==' }] },
  wrong: { content: [text('done')], isError: 'no' },
  extra: { content: [text('done')], extra: 1 },
  asking: {
    resultType: 'input_required',
    inputRequests: { sure: { method: 'elicitation/create', params: form } },
    requestState: 'x',
  },
}

const CODES: Record<string, number> = { refused: -32_602, url: -32_042, missing: -32_002 }

/** A gateway with one server `s`, whose tools cover everything that a tool can do. */
export function caseGateway({
  mode = 'search',
  shortcut = true,
}: {
  readonly mode?: 'search' | 'dynamic' | undefined
  readonly shortcut?: boolean
} = {}): {
  readonly gateway: Gateway
  readonly servers: UpstreamSet
  readonly factory: GatewayServerFactory
  /** Names of the tools whose calls reached the server. */
  readonly called: string[]
  readonly cancelled: () => number
  readonly clients: CallOptions['client'][]
} {
  let cancelled = 0
  const clients: CallOptions['client'][] = []
  const active = ['say', 'progressing', 'logging', 'notifying', 'curious', 'endless', 'broken']
  const names = [...active, ...Object.keys(RESULTS), ...Object.keys(CODES)]
  const servers = upstreamSet({
    s: {
      tools: names.map((name) => ({
        name,
        inputSchema: name === 'say' ? schema : { type: 'object' },
        annotations: { readOnlyHint: true },
      })),
      capabilities: { tools: {}, logging: {} },
      answer: (params, _, options) => answer(params, options),
    },
  })
  async function answer(params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const name = params.name as string
    const { onProgress, onNotification, onServerRequest, signal, envelope } = options
    switch (name) {
      case 'say':
        return { content: [text(JSON.stringify([params.arguments, params._meta, envelope]))] }
      case 'progressing':
        onProgress?.({ progressToken: 7, progress: 1, total: 2 })
        await new Promise((resolve) => setImmediate(resolve))
        onProgress?.({ progressToken: 7, progress: 2, total: 2 })
        break
      case 'logging':
        onNotification?.('notifications/message', { level: 'debug', data: 'deep' })
        onNotification?.('notifications/message', { level: 'error', data: 'oh', logger: 's' })
        break
      case 'notifying':
        onNotification?.('notifications/example', { hint: 1 })
        break
      case 'curious': {
        const answer = await onServerRequest?.(
          'elicitation/create',
          form,
          new AbortController().signal,
        )
        return { content: [text(JSON.stringify(answer))] }
      }
      case 'endless':
        return new Promise((_, reject) =>
          signal!.addEventListener('abort', () => {
            cancelled++
            reject(new Error('cancelled'))
          }),
        )
      case 'broken':
        throw new Error('s has disconnected.')
    }
    const code = CODES[name]
    if (code !== undefined) {
      const data = { elicitations: [], uri: 'file:///x' }
      const refusal = { code, message: 'No such box.', data }
      throw new UpstreamError('refused', 's', 's answered with an error.', { answer: refusal })
    }
    return RESULTS[name] ?? { content: [text('done')] }
  }
  const gateway = createGateway(gatewayConfig([serverConfig('s')], { mode, shortcut }), servers)
  const view: GatewayView = Object.create(gateway, {
    callTool: {
      value(params: JsonObject, options?: CallOptions) {
        clients.push(options?.client)
        return gateway.callTool(params, options)
      },
    },
  })
  gateway.view = () => view
  const factory = mcpServer(gateway, servers, { version: '1' })
  const called = servers.calls as unknown as { params: { name: string } }[]
  return {
    gateway,
    servers,
    factory,
    get called() {
      return called.map(({ params }) => params.name)
    },
    cancelled: () => cancelled,
    clients,
  }
}

export type EraName = '2025-11-25' | '2026-07-28'

/** A `tools/call` request of an era. */
export function call(era: EraName, params: JsonObject, id: unknown = 5): JsonObject {
  const meta = era === '2026-07-28' ? ENVELOPE : {}
  const _meta = { ...meta, ...(params._meta as object | undefined) }
  const hasMeta = Object.keys(_meta).length > 0
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { ...params, ...(hasMeta && { _meta }) },
  }
}

type Cases = readonly (readonly [string, JsonObject])[]

/** Calls that the shortcut starts and answers. */
export const PLAIN_CALLS: Cases = [
  ['a direct call', { name: 's__say', arguments: { text: 'hi' } }],
  [
    'a call through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__say', arguments: { text: 'é🙂' } } },
  ],
  ['a call without arguments', { name: 's__structured' }],
  ['a call with _meta', { name: 's__say', arguments: { text: 'x' }, _meta: { 'example/a': 1 } }],
  ['a call that fails', { name: 's__failing', arguments: {} }],
  ['a server that has disconnected', { name: 's__broken', arguments: {} }],
  ['a server request that the client cannot answer', { name: 's__curious', arguments: {} }],
  ['wrong arguments', { name: 's__say', arguments: { text: 7 } }],
  ['an unknown tool', { name: 's__sya', arguments: {} }],
  ['a progress token, but no progress', { name: 's__failing', _meta: { progressToken: 'p' } }],
  ['progress without a progress token', { name: 's__progressing', arguments: {} }],
  ['a search', { name: 'tool_search', arguments: { query: 'say' } }],
  ['describe_tools', { name: 'describe_tools', arguments: { names: ['s__say', 'nope'] } }],
  [
    'an error response through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__refused', arguments: {} } },
  ],
]

/** Calls that the shortcut starts and the SDK takes over. */
export const TAKEN_OVER_CALLS: Cases = [
  [
    'progress, with a text as token',
    { name: 's__progressing', arguments: {}, _meta: { progressToken: 'p' } },
  ],
  [
    'progress, with a number as token',
    { name: 's__progressing', arguments: {}, _meta: { progressToken: 3 } },
  ],
  ['log messages', { name: 's__logging', arguments: {} }],
  ['another notification', { name: 's__notifying', arguments: {} }],
  ['a result without content', { name: 's__empty', arguments: {} }],
  ['structured content that is not an object', { name: 's__list', arguments: {} }],
  ['an image', { name: 's__picture', arguments: {} }],
  ['a text with annotations', { name: 's__annotated', arguments: {} }],
  ['content of an unknown type', { name: 's__odd', arguments: {} }],
  ['an invalid result', { name: 's__wrong', arguments: {} }],
  ['a result with an unknown field', { name: 's__extra', arguments: {} }],
  ['a request for input from a client that supports none', { name: 's__asking', arguments: {} }],
  ['an error response', { name: 's__refused', arguments: {} }],
  ['an error response for a missing resource', { name: 's__missing', arguments: {} }],
]

/** Calls that the SDK takes over in one of the eras only. */
export const ERA_DEPENDENT_CALLS: Cases = [
  ['a URL elicitation', { name: 's__url', arguments: {} }],
  [
    'a URL elicitation through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__url', arguments: {} } },
  ],
  ['a result of a modern server', { name: 's__modern' }],
  ['a long result', { name: 's__long' }],
]

/** Calls that are invalid or use further features, so that the shortcut never starts them. */
export const SDK_CALLS: Cases = [
  ['no name', { arguments: {} }],
  ['a name that is not a string', { name: 7 }],
  ['arguments that are an array', { name: 's__say', arguments: ['x'] }],
  ['arguments that are a string', { name: 's__say', arguments: 'x' }],
  ['arguments that are null', { name: 's__say', arguments: null }],
  ['input responses without a request for input', { name: 's__failing', inputResponses: {} }],
  ['an unknown request state', { name: 's__failing', requestState: 'x' }],
  ['a task', { name: 's__failing', task: { ttl: 1 } }],
]

/** Replaces the random ids of truncated results. */
export function withoutIds<T>(messages: T): T {
  return JSON.parse(
    JSON.stringify(messages).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'),
  )
}
