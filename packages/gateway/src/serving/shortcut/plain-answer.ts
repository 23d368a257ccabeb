import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { CallResult } from '../../offering/large-results.ts'
import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import type { ReadCall } from './read-call.ts'

const FIELDS = new Set(['content', 'structuredContent', 'isError', 'resultType', '_meta'])

/**
 * The response to a call, exactly as the SDK would write it. Undefined if the result contains more
 * than texts and structured content: the SDK may check, change or reject such results.
 */
export function plainAnswer(
  { id, era }: ReadCall,
  result: CallResult,
  serverInfo: JsonObject,
): JsonObject | undefined {
  if (!isPlain(result)) return undefined
  if (era === 'legacy') {
    // The legacy protocol does not have this field.
    if (result.resultType !== undefined) return undefined
    return { result, jsonrpc: '2.0', id }
  }
  const _meta = { [SERVER_INFO_META_KEY]: serverInfo, ...(result._meta as object | undefined) }
  return { result: { ...result, resultType: 'complete', _meta }, jsonrpc: '2.0', id }
}

function isPlain(result: CallResult): boolean {
  for (const field in result) if (!FIELDS.has(field)) return false
  const { content, structuredContent, isError, resultType, _meta } = result
  return (
    Array.isArray(content) &&
    content.every(isPlainText) &&
    (structuredContent === undefined || isObject(structuredContent)) &&
    (isError === undefined || typeof isError === 'boolean') &&
    (resultType === undefined || resultType === 'complete') &&
    (_meta === undefined || isObject(_meta))
  )
}

function isPlainText(block: unknown): boolean {
  if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return false
  return Object.keys(block).length === 2
}
