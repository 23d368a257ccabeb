import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { MODERN_VERSION } from '../../protocol/versions.ts'

const KEPT = 100
/** In characters: what is longer is not kept, for a hundred of them would be much. */
const LONGEST = 2_000

/**
 * Tells whether what a client says of itself with every request is as it should be.
 *
 * The SDK judges; a client says the same each time, so it is asked once.
 */
export function createEnvelopeCheck(): (client: unknown, capabilities: unknown) => boolean {
  const known = new Map<string, boolean>()
  return (client, capabilities) => {
    const key = JSON.stringify([client, capabilities])
    let isRight = known.get(key)
    if (isRight !== undefined) return isRight
    isRight = judge(client, capabilities)
    if (key.length > LONGEST) return isRight
    if (known.size >= KEPT) known.clear()
    known.set(key, isRight)
    return isRight
  }
}

function judge(client: unknown, capabilities: unknown): boolean {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    ...(client !== undefined && { [CLIENT_INFO_META_KEY]: client }),
    ...(capabilities !== undefined && { [CLIENT_CAPABILITIES_META_KEY]: capabilities }),
  }
  const body = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: '', _meta } }
  return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'modern'
}
