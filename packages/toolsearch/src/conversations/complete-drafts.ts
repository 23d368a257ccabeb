import { isObject } from '../is-object.ts'
import type { OutputPart } from '../outputs/output-part.ts'
import type {
  CallPart,
  ConversationMessage,
  ConversationPart,
  Draft,
  DraftPart,
  ReportLost,
} from './conversation.ts'

/**
 * Gives every call an id that each provider accepts and that no other call has, and every result the
 * id and the name of its call. An id refers to its call until the next call with the same id: many
 * servers restart counting with every reply. Leaves out results without a call and empty messages.
 */
export function completeDrafts(
  drafts: readonly Draft[],
  reportLost: ReportLost,
): ConversationMessage[] {
  const used = new Set<string>()
  const calls = new Map<unknown, CallPart>()
  return drafts.flatMap(({ role, parts, at }) => {
    const completed = parts.flatMap((part) => completePart(part, at))
    return completed.length > 0 ? [{ role, parts: completed, at }] : []
  })

  function completePart(part: DraftPart, at: number): ConversationPart[] {
    if (part.type === 'text') return part.text === '' ? [] : [part]
    if (part.type === 'call') {
      const call: CallPart = {
        type: 'call',
        id: uniqueId(part.id),
        name: part.name,
        arguments: readArguments(part.arguments, part.name, at),
      }
      calls.set(part.id, call)
      return [call]
    }
    if (part.type !== 'result') return [part]
    const call = calls.get(part.callId)
    if (call !== undefined) {
      const { type, isError } = part
      return [{ type, callId: call.id, name: call.name, parts: outputOf(part, call), isError }]
    }
    reportLost('result', at, 'A result belongs to no call; providers reject such results.')
    return []
  }

  function uniqueId(id: unknown): string {
    const valid = validId(id)
    let unique = valid
    for (let count = 2; used.has(unique); count += 1) unique = `${valid.slice(0, 58)}_${count}`
    used.add(unique)
    return unique
  }

  function readArguments(input: unknown, name: string, at: number): Record<string, unknown> {
    if (isObject(input)) return input
    reportLost(
      'arguments',
      at,
      `The arguments of a call to ${name} are not an object; {} was sent.`,
    )
    return {}
  }
}

/** Names found tools in the form of our own search results, so that they can be read back. */
function outputOf({ parts, found }: DraftResult, call: CallPart): readonly OutputPart[] {
  if (found === undefined) return parts
  const query = String(call.arguments.query ?? '')
  return [{ type: 'text', text: JSON.stringify({ query, loaded: found }) }, ...parts]
}

type DraftResult = Extract<DraftPart, { type: 'result' }>

/** Anthropic restricts the characters of an id, OpenAI its length. */
function validId(id: unknown): string {
  const text = typeof id === 'string' ? id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) : ''
  return text === '' ? 'call' : text
}
