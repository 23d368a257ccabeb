import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-texts.ts'
import type { LooseMessage } from './chat-message.ts'

/**
 * Puts the result of every call directly after the message with the call, in the order of the calls.
 * Moves results that are elsewhere, adds placeholders for missing ones, and drops all others. An
 * undefined entry is a message that was already dropped. `indexes` has the original index of each message.
 *
 * An id refers to its call until the next call with the same id: many servers restart counting with
 * every reply.
 */
export function pairResults(
  messages: readonly (LooseMessage | undefined)[],
  repairs: Repair[],
): { paired: LooseMessage[]; indexes: number[] } {
  const results = findResults(messages)
  const matched = new Set([...results.values()].flatMap((found) => [...found.values()]))
  const keptIndexes: number[] = []
  const paired: LooseMessage[] = []
  const indexes: number[] = []
  messages.forEach((message, at) => {
    if (message === undefined) return
    if (message.role !== 'tool') {
      keep(at)
      for (const id of callIds(message)) addResult(id, at)
    } else if (!matched.has(at)) {
      repairs.push({ kind: 'result-dropped', about: String(message.tool_call_id), at })
    }
  })
  const sorted = keptIndexes.toSorted((a, b) => a - b)
  keptIndexes.forEach((at, position) => {
    if (at === sorted[position] || !matched.has(at)) return
    repairs.push({ kind: 'result-moved', about: String(messages[at]!.tool_call_id), at })
  })
  return { paired, indexes }

  function keep(at: number): void {
    keptIndexes.push(at)
    indexes.push(at)
    paired.push(messages[at]!)
  }

  function addResult(id: string, at: number): void {
    const result = results.get(at)?.get(id)
    if (result !== undefined) {
      keep(result)
      return
    }
    repairs.push({ kind: 'call-answered', about: id, at })
    indexes.push(at)
    paired.push({ role: 'tool', tool_call_id: id, content: NO_RESULT })
  }
}

/** The index of the first result of each call, by the index of the calling message and call id. */
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
