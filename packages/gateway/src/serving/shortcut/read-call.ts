import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'
import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import { declaresTasks } from '../../protocol/task-extension.ts'
import { type Era, MODERN_VERSION } from '../../protocol/versions.ts'
import { createEnvelopeCheck } from './envelope-check.ts'

/** A `tools/call` request that can be answered without the SDK. */
export interface ReadCall {
  readonly id: string | number
  readonly era: Era
  /** As the SDK passes them to a handler: without the protocol's own fields in `_meta`. */
  readonly params: JsonObject & { readonly name: string }
  /** The `clientInfo` that came with a modern request. */
  readonly clientInfo?: unknown
}

const PARAMS = new Set(['name', 'arguments', '_meta'])
const isValidEnvelope = createEnvelopeCheck()

/**
 * Reads a message if it is a plain, valid call. Returns undefined for everything else, including
 * invalid calls and calls that use further features: the SDK handles those.
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
    const isLegacy = !(CLIENT_INFO_META_KEY in meta) && !(CLIENT_CAPABILITIES_META_KEY in meta)
    return isLegacy ? { id, era: 'legacy', params: call } : undefined
  }
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...rest
  } = meta
  if (version !== MODERN_VERSION || !isValidEnvelope(clientInfo, capabilities)) return undefined
  if (canBeAsked(capabilities) || declaresTasks(capabilities)) return undefined
  const { _meta, ...withoutMeta } = call
  const hasMeta = Object.keys(rest).length > 0
  const forwarded = hasMeta ? { ...withoutMeta, _meta: rest } : withoutMeta
  return { id, era: 'modern', params: forwarded, clientInfo }
}

/** Whether a client can answer server requests during a call, which only the SDK can forward. */
export function canBeAsked(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false
  return 'elicitation' in capabilities || 'sampling' in capabilities || 'roots' in capabilities
}

function isToken(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}
