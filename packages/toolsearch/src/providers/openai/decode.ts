import { isObject } from '../../is-object.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import type { DecodedReply, ProviderCall } from '../provider.ts'
import { replyList } from '../reply-list.ts'
import { definedNames, type Item, isHostedSearch } from './items.ts'

/** The fields of a `Response` that the adapter reads. */
export interface OpenaiReply {
  readonly output: readonly unknown[]
}

/** @throws InvalidReplyError */
export function decode(reply: OpenaiReply): DecodedReply<Item> {
  const output = replyList(reply, 'output', "OpenAI's Responses API")
  const items = output.filter(isObject).filter((item) => !isTruncatedCall(item))
  return {
    messages: items.map(toInput),
    calls: items.flatMap((item) => callOf(item) ?? []),
    found: items
      .filter((item) => item.type === 'tool_search_output' && isHostedSearch(item))
      .flatMap(definedNames),
  }
}

export function callOf(item: Item): ProviderCall | undefined {
  const id = String(item.call_id)
  if (item.type === 'function_call') {
    return { id, name: String(item.name), arguments: parseArguments(item.arguments) }
  }
  if (item.type !== 'tool_search_call' || isHostedSearch(item)) return undefined
  return { id, name: 'tool_search', arguments: item.arguments, isSearch: true }
}

/** A call truncated before its arguments would look like a call that needs none. */
function isTruncatedCall({ type, status, arguments: json }: Item): boolean {
  return type === 'function_call' && status === 'incomplete' && json === ''
}

/** Removes fields that only a reply may have. All others are sent back unchanged. */
function toInput(item: Item): Item {
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
