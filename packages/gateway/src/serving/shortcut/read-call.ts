import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../../protocol/json-object.ts'
import { isObject } from '../../protocol/json-object.ts'
import { type Era, MODERN_VERSION } from '../../protocol/versions.ts'
import { createEnvelopeCheck } from './envelope-check.ts'

/** A `tools/call` request that can be answered without the SDK. */
export interface ReadCall {
  readonly id: string | number
  readonly era: Era
  /** As a handler of the SDK gets them: what only the protocol needs is taken out of `_meta`. */
  readonly params: JsonObject & { readonly name: string }
  /** What the client says of itself with the request. */
  readonly clientInfo?: unknown
}

const PARAMS = new Set(['name', 'arguments', '_meta'])
const isRightEnvelope = createEnvelopeCheck()

/**
 * Understands a message if it is a plain call. Gives nothing for all else, also for a call that is
 * not quite right or has more to it: the SDK then answers as it does.
 */
export function readCall(message: unknown): ReadCall | undefined {
  if (!isObject(message) || message.method !== 'tools/call') return undefined
  const { id, params } = message
  if (message.jsonrpc !== '2.0' || !isToken(id) || Object.keys(message).length !== 4) {
    return undefined
  }
  if (!isObject(params) || typeof params.name !== 'string') return undefined
  for (const key in params) if (!PARAMS.has(key)) return undefined
  if (params.arguments !== undefined && !isObject(params.arguments)) return undefined
  const call = params as ReadCall['params']
  const meta = params._meta
  if (meta === undefined) return { id, era: 'legacy', params: call }
  if (!isObject(meta) || LOG_LEVEL_META_KEY in meta) return undefined
  if (meta.progressToken !== undefined && !isToken(meta.progressToken)) return undefined
  if (!(PROTOCOL_VERSION_META_KEY in meta)) {
    const isPlain = !(CLIENT_INFO_META_KEY in meta) && !(CLIENT_CAPABILITIES_META_KEY in meta)
    return isPlain ? { id, era: 'legacy', params: call } : undefined
  }
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...rest
  } = meta
  if (version !== MODERN_VERSION || !isRightEnvelope(clientInfo, capabilities)) return undefined
  if (mayBeAsked(capabilities)) return undefined
  const { _meta, ...bare } = call
  const isBare = Object.keys(rest).length === 0
  return { id, era: 'modern', params: isBare ? bare : { ...bare, _meta: rest }, clientInfo }
}

/** Whether a client can be asked something while its call is under way, which takes the SDK. */
export function mayBeAsked(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false
  return 'elicitation' in capabilities || 'sampling' in capabilities || 'roots' in capabilities
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
