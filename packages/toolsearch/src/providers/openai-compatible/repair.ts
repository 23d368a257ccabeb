import type { IndexedRepair, Repair } from '../provider.ts'
import { OMITTED_START } from '../repair-texts.ts'
import { type ChatMessage, isInstruction, type LooseMessage } from './chat-message.ts'
import { isEmpty } from './decode.ts'
import { pairResults } from './pair-results.ts'
import { sendableCalls } from './sendable-calls.ts'

/** Makes a history acceptable to endpoints. Messages that are fine stay the same objects. */
export function repair<Message extends ChatMessage>(
  messages: readonly Message[],
): IndexedRepair<Message> {
  const repairs: Repair[] = []
  const loose = messages as readonly unknown[] as readonly LooseMessage[]
  const cleaned = cleanMessages(loose, repairs)
  const { paired, indexes } = pairResults(cleaned, repairs)
  const start = startWithoutUser(paired)
  if (start >= 0) {
    const at = indexes[start]!
    repairs.push({ kind: 'start-added', about: 'user', at })
    paired.splice(start, 0, { role: 'user', content: OMITTED_START })
    indexes.splice(start, 0, at)
  }
  if (repairs.length === 0) return { messages, repairs }
  return { messages: paired as readonly unknown[] as Message[], repairs, indexes }
}

function cleanMessages(
  messages: readonly LooseMessage[],
  repairs: Repair[],
): (LooseMessage | undefined)[] {
  const unanswered = new Map<unknown, string>()
  return messages.map((message, at) => {
    if (message.role === 'tool') {
      unanswered.delete(message.tool_call_id)
      return cleanResult(message, at, repairs)
    }
    if (message.role !== 'assistant') return message
    const cleaned = cleanCalls(message, unanswered, at, repairs)
    if (!isEmpty(cleaned)) return cleaned
    repairs.push({ kind: 'empty-dropped', about: 'assistant', at })
    return undefined
  })
}

/** The content of a result must be a string or a list of parts. */
function cleanResult(message: LooseMessage, at: number, repairs: Repair[]): LooseMessage {
  const { content, tool_call_id: id } = message
  if (typeof content === 'string' || Array.isArray(content)) return message
  repairs.push({ kind: 'call-fixed', about: String(id), at })
  return { ...message, content: JSON.stringify(content ?? '') }
}

/** `unanswered` has the calls without a result so far. A repetition of one is a duplicate. */
function cleanCalls(
  message: LooseMessage,
  unanswered: Map<unknown, string>,
  at: number,
  repairs: Repair[],
): LooseMessage {
  const { tool_calls: before, ...rest } = message
  if (!Array.isArray(before)) return message
  const unique = before.filter((call: { id?: unknown } | null) => {
    const json = JSON.stringify(call)
    const isDuplicate = call?.id !== undefined && unanswered.get(call.id) === json
    if (isDuplicate) repairs.push({ kind: 'duplicate-dropped', about: String(call.id), at })
    else unanswered.set(call?.id, json)
    return !isDuplicate
  })
  const calls = sendableCalls(unique, String(at)).map((call) => call.sent)
  if (calls.length === before.length && calls.every((call, index) => call === before[index])) {
    // An empty list of calls must be removed.
    if (calls.length > 0) return message
  }
  if (unique.length === before.length) repairs.push({ kind: 'call-fixed', about: 'tool_calls', at })
  return { ...rest, ...(calls.length > 0 && { tool_calls: calls }) }
}

/**
 * The index of the first message after the instructions if it is an assistant message, else -1: many
 * chat templates require a user message first.
 */
function startWithoutUser(messages: readonly LooseMessage[]): number {
  const start = messages.findIndex((message) => !isInstruction(message))
  return messages[start]?.role === 'assistant' ? start : -1
}
