import type { Entry } from '../transcript/entry.ts'
import type { Repair, RepairedEntries } from './provider.ts'

type Step = (entries: readonly Entry[]) => RepairedEntries

/** Runs steps of a repair on messages, like an adapter. `indexes` has the original place of each message. */
export function repairedMessages<Message extends object>(
  messages: readonly Message[],
  read: (message: object, at: number) => Entry,
  ...steps: Step[]
): { messages: readonly Message[]; repairs: readonly Repair[]; indexes?: number[] } {
  let entries: readonly Entry[] = messages.map(read)
  const repairs: Repair[] = []
  for (const step of steps) {
    const repaired = step(entries)
    entries = repaired.entries
    repairs.push(...repaired.repairs)
  }
  if (repairs.length === 0) return { messages, repairs }
  return {
    messages: entries.map(({ native }) => native as unknown as Message),
    repairs,
    indexes: entries.map(({ at }) => at),
  }
}
