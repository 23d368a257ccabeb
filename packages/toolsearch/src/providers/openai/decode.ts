import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { DecodedReply, ProviderCall } from '../provider.ts'
import { replyList } from '../reply-list.ts'
import { clientCall, clientKey, isClientCall, isClientOutput } from './call-types.ts'
import { definedNames, isHostedSearch } from './items.ts'

/** The fields of a `Response` that the adapter reads. */
export interface OpenaiReply {
  readonly output: readonly unknown[]
}

/** @throws InvalidReplyError */
export function decode(reply: OpenaiReply): DecodedReply<Block> {
  const output = replyList(reply, 'output', "OpenAI's Responses API")
  const items = output.filter(isObject).filter((item) => !isTruncatedCall(item))
  // Some tools, such as the shell, can also run at OpenAI. Then the reply contains the output.
  const answered = new Set(items.filter(isClientOutput).map(clientKey))
  return {
    messages: items.map(toInput),
    calls: items.flatMap((item) =>
      isClientCall(item) && answered.has(clientKey(item)) ? [] : (callOf(item) ?? []),
    ),
    found: items
      .filter((item) => item.type === 'tool_search_output' && isHostedSearch(item))
      .flatMap(definedNames),
  }
}

export function callOf(item: Block): ProviderCall | undefined {
  if (isClientCall(item)) return clientCall(item)
  if (item.type !== 'tool_search_call' || isHostedSearch(item)) return undefined
  const { call_id: id, arguments: input } = item
  return { id: String(id), name: 'tool_search', arguments: input, isSearch: true, native: item }
}

/** A call truncated before its arguments would look like a call that needs none. */
function isTruncatedCall(item: Block): boolean {
  if (!isClientCall(item) || item.status !== 'incomplete') return false
  return item.type !== 'function_call' || item.arguments === ''
}

/** Removes fields that only a reply may have. All others are sent back unchanged. */
function toInput(item: Block): Block {
  const hasParsedParts = Array.isArray(item.content) && item.content.some(isParsed)
  const hasReplyFields = Object.keys(item).some((field) => isReplyField(field, item[field]))
  if (!hasParsedParts && !hasReplyFields) return item
  const kept = Object.entries(item).filter(([field, value]) => !isReplyField(field, value))
  return {
    ...Object.fromEntries(kept),
    ...(hasParsedParts && { content: (item.content as unknown[]).map(withoutParsed) }),
  }
}

/** The client adds `parsed_arguments`, and the service adds `created_by`. */
function isReplyField(field: string, value: unknown): boolean {
  if (field === 'status') return value === null
  return field === 'parsed_arguments' || field === 'created_by'
}

function isParsed(part: unknown): boolean {
  return isObject(part) && 'parsed' in part
}

function withoutParsed(part: unknown): unknown {
  if (!isObject(part)) return part
  const { parsed: _, ...rest } = part
  return rest
}
