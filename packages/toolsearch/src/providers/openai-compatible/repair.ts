import type { Repair, Repaired } from '../provider.ts'
import { LEFT_OUT } from '../repair-words.ts'
import { type ChatMessage, isInstruction, type LooseMessage } from './chat-message.ts'
import { isEmpty } from './decode.ts'
import { pairResults } from './pair-results.ts'
import { sendableCalls } from './sendable-calls.ts'

/** Makes a history that endpoints accept. What is fine as it stands stays the same object. */
export function repair<Message extends ChatMessage>(
  messages: readonly Message[],
): Repaired<Message> {
  const repairs: Repair[] = []
  const given = messages as readonly unknown[] as readonly LooseMessage[]
  const mended = mendMessages(given, repairs)
  const paired = pairResults(mended, repairs)
  const whole = startWithUser(paired, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return { messages: whole as readonly unknown[] as Message[], repairs }
}

function mendMessages(
  messages: readonly LooseMessage[],
  repairs: Repair[],
): (LooseMessage | undefined)[] {
  const open = new Map<unknown, string>()
  return messages.map((message, at) => {
    if (message.role === 'tool') {
      open.delete(message.tool_call_id)
      return mendResult(message, at, repairs)
    }
    if (message.role !== 'assistant') return message
    const mended = mendCalls(message, open, at, repairs)
    if (!isEmpty(mended)) return mended
    repairs.push({ kind: 'empty-dropped', about: 'assistant', at })
    return undefined
  })
}

/** A result is a text, or a list of parts. */
function mendResult(message: LooseMessage, at: number, repairs: Repair[]): LooseMessage {
  const { content, tool_call_id: id } = message
  if (typeof content === 'string' || Array.isArray(content)) return message
  repairs.push({ kind: 'call-mended', about: String(id), at })
  return { ...message, content: JSON.stringify(content ?? '') }
}

/** `open` holds the calls that wait for a result: one of them that comes again is there twice. */
function mendCalls(
  message: LooseMessage,
  open: Map<unknown, string>,
  at: number,
  repairs: Repair[],
): LooseMessage {
  const { tool_calls: given, ...rest } = message
  if (!Array.isArray(given)) return message
  const fresh = given.filter((call: { id?: unknown } | null) => {
    const json = JSON.stringify(call)
    const isTwin = call?.id !== undefined && open.get(call.id) === json
    if (isTwin) repairs.push({ kind: 'duplicate-dropped', about: String(call.id), at })
    else open.set(call?.id, json)
    return !isTwin
  })
  const calls = sendableCalls(fresh, String(at)).map((call) => call.sent)
  if (calls.length === given.length && calls.every((call, place) => call === given[place])) {
    // a message that calls nothing has no list of calls
    if (calls.length > 0) return message
  }
  if (fresh.length === given.length) repairs.push({ kind: 'call-mended', about: 'tool_calls', at })
  return { ...rest, ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Many chat templates want a user's message before the first of the assistant. */
function startWithUser(messages: readonly LooseMessage[], repairs: Repair[]): LooseMessage[] {
  const start = messages.findIndex((message) => !isInstruction(message))
  if (messages[start]?.role !== 'assistant') return [...messages]
  repairs.push({ kind: 'start-added', about: 'user', at: start })
  return messages.toSpliced(start, 0, {
    role: 'user',
    content: LEFT_OUT,
  })
}
