import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { MODERN_VERSION } from '../../protocol/versions.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'

const MAX_CACHED = 100
/** Longer keys are not cached, to limit the memory that a hundred of them take. */
const MAX_KEY_LENGTH = 2_000

/**
 * Checks the client information that a modern client sends with each request.
 *
 * The SDK does the check. A client sends the same information each time, so results are cached.
 */
export function createEnvelopeCheck(): (client: unknown, capabilities: unknown) => boolean {
  const cached = createBoundedMap<string, boolean>(MAX_CACHED)
  return (client, capabilities) => {
    const key = JSON.stringify([client, capabilities])
    let isValid = cached.get(key)
    if (isValid !== undefined) return isValid
    isValid = isValidForSdk(client, capabilities)
    if (key.length > MAX_KEY_LENGTH) return isValid
    cached.set(key, isValid)
    return isValid
  }
}

function isValidForSdk(client: unknown, capabilities: unknown): boolean {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: MODERN_VERSION,
    ...(client !== undefined && { [CLIENT_INFO_META_KEY]: client }),
    ...(capabilities !== undefined && { [CLIENT_CAPABILITIES_META_KEY]: capabilities }),
  }
  const body = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: '', _meta } }
  return classifyInboundRequest({ httpMethod: 'POST', body }).kind === 'modern'
}
