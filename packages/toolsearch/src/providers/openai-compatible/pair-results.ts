import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-words.ts'
import type { LooseMessage } from './chat-message.ts'

/**
 * Gives every call its result directly after the message that makes it, in the order of the calls.
 * Results elsewhere are moved there, missing ones are made up, and all others are dropped. A place
 * without a message stands for one that was dropped before.
 *
 * An id counts from its call to the next call with the same one: many servers begin to count anew
 * with every reply.
 */
export function pairResults(
  messages: readonly (LooseMessage | undefined)[],
  repairs: Repair[],
): LooseMessage[] {
  const results = findResults(messages)
  const used = new Set([...results.values()].flatMap((found) => [...found.values()]))
  const kept: number[] = []
  const paired: LooseMessage[] = []
  messages.forEach((message, at) => {
    if (message === undefined) return
    if (message.role !== 'tool') {
      keep(at)
      for (const id of callIds(message)) answer(id, at)
    } else if (!used.has(at)) {
      repairs.push({ kind: 'result-dropped', about: String(message.tool_call_id), at })
    }
  })
  const inOrder = kept.toSorted((a, b) => a - b)
  kept.forEach((at, place) => {
    if (at === inOrder[place] || !used.has(at)) return
    repairs.push({ kind: 'result-moved', about: String(messages[at]!.tool_call_id), at })
  })
  return paired

  function keep(at: number): void {
    kept.push(at)
    paired.push(messages[at]!)
  }

  function answer(id: string, at: number): void {
    const result = results.get(at)?.get(id)
    if (result !== undefined) {
      keep(result)
      return
    }
    repairs.push({ kind: 'call-answered', about: id, at })
    paired.push({ role: 'tool', tool_call_id: id, content: NO_RESULT })
  }
}

/** The place of the first result of each call, by the place of the call. */
function findResults(
  messages: readonly (LooseMessage | undefined)[],
): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const callers = new Map<string, number>()
  const results = new Map<number, Map<string, number>>()
  messages.forEach((message, at) => {
    if (message === undefined) return
    for (const id of callIds(message)) {
      callers.set(id, at)
      results.set(at, new Map())
    }
    const id = String(message.tool_call_id)
    const found = message.role === 'tool' && results.get(callers.get(id) ?? -1)
    if (found && !found.has(id)) found.set(id, at)
  })
  return results
}

function callIds({ role, tool_calls: calls }: LooseMessage): string[] {
  if (role !== 'assistant' || !Array.isArray(calls)) return []
  return calls.map((call: { id?: unknown }) => String(call.id))
}
