const META = 'io.modelcontextprotocol/'
const VERSION = '2026-07-28'

/** What `fetch` needs for a JSON-RPC request of the protocol 2026-07-28. */
export interface RpcRequest {
  readonly method: 'POST'
  readonly headers: Record<string, string>
  readonly body: string
}

/** @param params what is in them replaces the default `_meta` */
export function rpcRequest(method: string, params: object = {}): RpcRequest {
  const { name, uri } = params as { name?: unknown; uri?: unknown }
  const subject = name ?? uri
  const _meta = {
    [`${META}protocolVersion`]: VERSION,
    [`${META}clientInfo`]: { name: 'attack', version: '1' },
    [`${META}clientCapabilities`]: {},
  }
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof subject === 'string' && { 'mcp-name': subject }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } }),
  }
}

/** The JSON in a response or in its last event. Undefined if there is none. */
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it expects
export function jsonIn(text: string): any {
  const event = text
    .match(/^data: .*$/gm)
    ?.at(-1)
    ?.slice('data: '.length)
  try {
    return JSON.parse(event ?? text)
  } catch {
    return undefined
  }
}
