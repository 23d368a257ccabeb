import { type CallOptions, createGateway, type Gateway } from '../offering/gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from '../offering/upstream-set.fixtures.ts'
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

/** Results, by the name of the tool that has them. */
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

/** A gateway before a server whose tools do all that tools can do, and its servers for the SDK. */
export function caseGateway(mode: 'search' | 'dynamic' = 'search'): {
  readonly gateway: Gateway
  readonly factory: GatewayServerFactory
  /** The tools whose calls reached the server. */
  readonly called: string[]
  readonly cancelled: () => number
  readonly clients: CallOptions['client'][]
} {
  let cancelled = 0
  const clients: CallOptions['client'][] = []
  const others = ['say', 'telling', 'logging', 'hinting', 'curious', 'endless', 'broken']
  const names = [...others, ...Object.keys(RESULTS), ...Object.keys(CODES)]
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
      case 'telling':
        onProgress?.({ progressToken: 7, progress: 1, total: 2 })
        await new Promise((resolve) => setTimeout(resolve, 5))
        onProgress?.({ progressToken: 7, progress: 2, total: 2 })
        break
      case 'logging':
        onNotification?.('notifications/message', { level: 'debug', data: 'deep' })
        onNotification?.('notifications/message', { level: 'error', data: 'oh', logger: 's' })
        break
      case 'hinting':
        onNotification?.('notifications/example', { hint: 1 })
        break
      case 'curious': {
        const said = await onServerRequest?.(
          'elicitation/create',
          form,
          new AbortController().signal,
        )
        return { content: [text(JSON.stringify(said))] }
      }
      case 'endless':
        return new Promise((_, reject) =>
          signal!.addEventListener('abort', () => {
            cancelled++
            reject(new Error('cancelled'))
          }),
        )
      case 'broken':
        throw new Error('s has gone away.')
    }
    const code = CODES[name]
    if (code !== undefined) {
      const data = { elicitations: [], uri: 'file:///x' }
      const refusal = { code, message: 'No such box.', data }
      throw new UpstreamError('refused', 's', 's answered with an error.', { answer: refusal })
    }
    return RESULTS[name] ?? { content: [text('done')] }
  }
  const gateway = createGateway(gatewayConfig([serverConfig('s')], { mode }), servers)
  const { callTool } = gateway
  gateway.callTool = (params, options) => {
    clients.push(options?.client)
    return callTool(params, options)
  }
  const factory = mcpServer(gateway, servers, { version: '1', instructions: () => '' })
  const called = servers.calls as unknown as { params: { name: string } }[]
  return {
    gateway,
    factory,
    get called() {
      return called.map(({ params }) => params.name)
    },
    cancelled: () => cancelled,
    clients,
  }
}

export type EraName = '2025-11-25' | '2026-07-28'

/** A call in the words of an era. */
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

/** Calls that need no SDK. */
export const PLAIN_CALLS: Cases = [
  ['a call', { name: 's__say', arguments: { text: 'hi' } }],
  [
    'a call through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__say', arguments: { text: 'é🙂' } } },
  ],
  ['a call without arguments', { name: 's__structured' }],
  ['a call with meta', { name: 's__say', arguments: { text: 'x' }, _meta: { 'example/a': 1 } }],
  ['a call that fails', { name: 's__failing', arguments: {} }],
  ['a server that is gone', { name: 's__broken', arguments: {} }],
  ['a server with a question nobody can answer', { name: 's__curious', arguments: {} }],
  ['wrong arguments', { name: 's__say', arguments: { text: 7 } }],
  ['an unknown tool', { name: 's__sya', arguments: {} }],
  ['no progress to tell', { name: 's__failing', _meta: { progressToken: 'p' } }],
  ['progress nobody asked for', { name: 's__telling', arguments: {} }],
  ['a search', { name: 'tool_search', arguments: { query: 'say' } }],
  ['definitions', { name: 'describe_tools', arguments: { names: ['s__say', 'nope'] } }],
  [
    'a refusal through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__refused', arguments: {} } },
  ],
]

/** Calls that are begun without the SDK, which then goes on with them. */
export const CALLS_WITH_MORE: Cases = [
  ['progress', { name: 's__telling', arguments: {}, _meta: { progressToken: 'p' } }],
  ['progress by number', { name: 's__telling', arguments: {}, _meta: { progressToken: 3 } }],
  ['log messages', { name: 's__logging', arguments: {} }],
  ['another notification', { name: 's__hinting', arguments: {} }],
  ['a result without content', { name: 's__empty', arguments: {} }],
  ['data that is no object', { name: 's__list', arguments: {} }],
  ['a picture', { name: 's__picture', arguments: {} }],
  ['a text with more to it', { name: 's__annotated', arguments: {} }],
  ['content of an unknown kind', { name: 's__odd', arguments: {} }],
  ['a result that is none', { name: 's__wrong', arguments: {} }],
  ['a field nobody knows', { name: 's__extra', arguments: {} }],
  ['a question to a client that takes none', { name: 's__asking', arguments: {} }],
  ['a refusal', { name: 's__refused', arguments: {} }],
  ['a refusal for what is not there', { name: 's__missing', arguments: {} }],
]

/** Calls that only one era takes the SDK for. */
export const EITHER_CALLS: Cases = [
  ['an address to open', { name: 's__url', arguments: {} }],
  [
    'an address to open, through a call tool',
    { name: 'call_read_tool', arguments: { name: 's__url', arguments: {} } },
  ],
  ['a result of a server of the newer era', { name: 's__modern' }],
  ['a long result', { name: 's__long' }],
]

/** Calls that have more to them, or less, and are never begun without the SDK. */
export const OTHER_CALLS: Cases = [
  ['no name', { arguments: {} }],
  ['a name that is no text', { name: 7 }],
  ['arguments that are no object', { name: 's__say', arguments: ['x'] }],
  ['arguments that are a text', { name: 's__say', arguments: 'x' }],
  ['arguments that are null', { name: 's__say', arguments: null }],
  ['answers to questions never asked', { name: 's__failing', inputResponses: {} }],
  ['a state that is unknown', { name: 's__failing', requestState: 'x' }],
  ['a task', { name: 's__failing', task: { ttl: 1 } }],
]

/** Texts differ by the random ids of long results alone. */
export function withoutIds<T>(said: T): T {
  return JSON.parse(
    JSON.stringify(said).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'),
  )
}
