import { isObject } from '../../is-object.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import type { DecodedReply, ProviderCall } from '../provider.ts'
import { definedNames, type Item, isHostedSearch } from './items.ts'

/** The part of a `Response` that is read. */
export interface OpenaiReply {
  readonly output?: readonly unknown[]
}

export function decode({ output = [] }: OpenaiReply): DecodedReply<Item> {
  const items = output.filter(isObject).filter((item) => !isCutAtOnce(item))
  return {
    messages: items.map(asInput),
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

/** Without a word of its arguments a call would look like one that needs none. */
function isCutAtOnce({ type, status, arguments: json }: Item): boolean {
  return type === 'function_call' && status === 'incomplete' && json === ''
}

/** Everything goes back as it came but what only a reply may have. */
function asInput(item: Item): Item {
  const parsedParts = Array.isArray(item.content) && item.content.some(isParsed)
  const extra = Object.keys(item).some((field) => isOfReply(field, item[field]))
  if (!parsedParts && !extra) return item
  const kept = Object.entries(item).filter(([field, value]) => !isOfReply(field, value))
  return {
    ...Object.fromEntries(kept),
    ...(parsedParts && { content: (item.content as unknown[]).map(withoutParsed) }),
  }
}

/** The client adds what it has parsed, the service who made an item. */
function isOfReply(field: string, value: unknown): boolean {
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
