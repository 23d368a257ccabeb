import { isObject } from '../is-object.ts'
import { parseArguments } from '../tool-search/parse-arguments.ts'
import type {
  ContentPart,
  ConversationCall,
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from './conversation.ts'
import type { AddedPart, CallPart, Entry, FoundTool, Part, ResultPart } from './entry.ts'
import { matchResults } from './match-results.ts'
import { contentOf } from './media.ts'

export interface ToConversationOptions {
  /** The name of the search tool. Searches with blocks of their own become calls to it. */
  readonly searchTool: string
  /** The name that the messages must have for a tool. */
  readonly nameOf: (tool: string) => string
  readonly reportLost: ReportLost
}

/**
 * What the entries say to any provider. Gives every call an id that each provider accepts and that no
 * other call has. Leaves out empty texts, results without a call, and what only the original provider
 * can read.
 */
export function toConversation(
  entries: readonly Entry[],
  { searchTool, nameOf, reportLost }: ToConversationOptions,
): ConversationMessage[] {
  const usedIds = new Set<string>()
  const callOf = new Map<ResultPart, ConversationCall>()
  const { results } = matchResults(entries)
  return joinTurns(entries.flatMap(moveEntry))

  function moveEntry({ role, parts, at }: Entry): ConversationMessage[] {
    const isReply = role === 'assistant'
    if (isReply && parts.some(({ type, isSigned }) => type === 'reasoning' || isSigned)) {
      reportLost('thinking', at, 'Only the model that wrote it can read reasoning.')
    }
    const ordered = isReply ? parts : withResultsFirst(parts)
    return ordered.flatMap((part, index): ConversationMessage[] => {
      if (part.type === 'added') return asSearch(part, at)
      if ('isForeign' in part && part.isForeign) {
        reportNative(String(part.native.type), at)
        return []
      }
      if (part.type === 'result') return [{ role: 'tool', parts: moveResult(part, at), at }]
      const moved = part.type === 'call' ? [moveCall(part, at, index)] : moveContent(part, at)
      return [{ role, parts: moved, at }]
    })
  }

  function moveCall(part: CallPart, at: number, index: number): ConversationCall {
    const { search, id = `call_${at}_${index}`, arguments: given } = part
    const name = search === undefined ? part.name : searchTool
    const call = createCall(id, name, readArguments(given, name, at))
    const result = results.get(part)
    if (result !== undefined) callOf.set(result.part, call)
    return call
  }

  function createCall(id: string, name: string, input: Record<string, unknown>): ConversationCall {
    const valid = validId(id)
    let unique = valid
    for (let count = 2; usedIds.has(unique); count += 1) unique = `${valid.slice(0, 58)}_${count}`
    usedIds.add(unique)
    return { type: 'call', id: unique, name: nameOf(name), arguments: input }
  }

  function readArguments(given: unknown, name: string, at: number): Record<string, unknown> {
    const input = parseArguments(given)
    if (isObject(input)) return input
    const reason = `The arguments of a call to ${name} are not an object; {} was sent.`
    reportLost('arguments', at, reason)
    return {}
  }

  function moveResult(part: ResultPart, at: number): ConversationResult[] {
    const call = callOf.get(part)
    if (call === undefined) {
      reportLost('result', at, 'A result belongs to no call; providers reject such results.')
      return []
    }
    const parts = part.parts.flatMap((inner) => moveContent(inner, at))
    const found = part.parts.filter((inner) => inner.type === 'found')
    // a text next to references already names the tools
    const isUndescribed = found.length > 0 && !parts.some(({ type }) => type === 'text')
    const text = isUndescribed
      ? [
          foundText(
            call,
            found.flatMap(({ tools }) => tools),
          ),
        ]
      : []
    return [resultOf(call, [...text, ...parts], part.isError)]
  }

  function reportNative(type: string, at: number): void {
    reportLost('native', at, `Other providers have no blocks of the type ${type}.`)
  }

  /** Tools that the conversation was given, as a search that found them. */
  function asSearch({ tools }: AddedPart, at: number): ConversationMessage[] {
    const query = `select:${tools.map(({ name }) => name).join(',')}`
    const call = createCall('added', searchTool, { query })
    return [
      { role: 'assistant', parts: [call], at },
      { role: 'tool', parts: [resultOf(call, [foundText(call, tools)], false)], at },
    ]
  }

  function moveContent(
    part: Exclude<Part, CallPart | ResultPart | AddedPart> | ResultPart['parts'][number],
    at: number,
  ): ContentPart[] {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    if (part.type === 'data') return [{ type: 'text', text: JSON.stringify(part.value ?? '') }]
    if (part.type === 'removed') {
      const reason = `The removal of ${part.names.join(', ')} has no counterpart; the tool list tells it.`
      reportLost('tool-removal', at, reason)
    } else if (part.type === 'summary') {
      const { text = '' } = part
      const reason = text === '' ? 'is encrypted; what it replaced is missing' : 'became text'
      reportLost('compaction', at, `The summary of earlier messages ${reason}.`)
      return text === '' ? [] : [{ type: 'text', text }]
    } else if (part.type === 'other') {
      const content = contentOf(part.block ?? part.native)
      if (content !== undefined) return [content]
      if (part.stored === undefined) {
        reportNative(part.kind, at)
      } else {
        const reason = 'The file is stored at its provider; other providers cannot read it.'
        reportLost(part.stored, at, reason)
      }
    }
    return []
  }
}

function withResultsFirst(parts: readonly Part[]): readonly Part[] {
  const results = parts.filter(({ type }) => type === 'result')
  if (results.length === 0) return parts
  return [...results, ...parts.filter(({ type }) => type !== 'result')]
}

/** A reply that the API splits is one message, and so are its results and their texts. */
function joinTurns(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const joined: ConversationMessage[] = []
  let lastAt: number | undefined
  for (const { role, parts, at } of messages) {
    const [part] = parts
    const last = joined.at(-1)
    if (part === undefined) continue
    if (last?.role !== role || (at !== lastAt && role !== 'assistant' && role !== 'tool')) {
      joined.push({ role, parts, at })
    } else {
      const before = last.parts.at(-1)!
      // a reply can have its text in pieces, for example because of citations
      const isPiece = role === 'assistant' && before.type === 'text' && at === lastAt
      joined[joined.length - 1] =
        isPiece && part.type === 'text'
          ? { ...last, parts: last.parts.with(-1, { type: 'text', text: before.text + part.text }) }
          : { ...last, parts: [...last.parts, ...parts] }
    }
    lastAt = at
  }
  return joined
}

function resultOf(
  { id, name }: ConversationCall,
  parts: ConversationResult['parts'],
  isError: boolean,
): ConversationResult {
  return { type: 'result', callId: id, name, parts, isError }
}

/** Names found tools in the form of our own search results, so that they can be read back. */
function foundText(
  { arguments: input }: ConversationCall,
  tools: readonly FoundTool[],
): ContentPart {
  const loaded = tools.map(({ name, description, inputSchema }) =>
    inputSchema === undefined ? name : { name, description, inputSchema },
  )
  return { type: 'text', text: JSON.stringify({ query: String(input.query ?? ''), loaded }) }
}

/** Anthropic restricts the characters of an id, OpenAI its length. */
function validId(id: string): string {
  const text = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
  return text === '' ? 'call' : text
}
