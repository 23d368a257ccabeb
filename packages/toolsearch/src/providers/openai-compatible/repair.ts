import type { Block } from '../../transcript/block.ts'
import type { Entry, ResultPart } from '../../transcript/entry.ts'
import { matchResults } from '../../transcript/match-results.ts'
import { type PairLayout, pairCalls } from '../../transcript/pair-calls.ts'
import type { Repair, RepairedEntries } from '../provider.ts'
import { NO_RESULT, OMITTED_START } from '../repair-texts.ts'
import { isEmpty } from './decode.ts'
import { read } from './read.ts'
import { sendableCalls } from './sendable-calls.ts'

/** Makes a history acceptable to endpoints. */
export function repair(entries: readonly Entry[]): RepairedEntries {
  const repairs: Repair[] = []
  const report: Report = (kind, about, at) => repairs.push({ kind, about, at })
  const cleaned = cleanEntries(entries, report)
  const paired = pairCalls(cleaned, matchResults(cleaned), LAYOUT, report)
  return { entries: startWithUser(paired, report), repairs }
}

type Report = (kind: Repair['kind'], about: string, at: number) => void

const LAYOUT: PairLayout = {
  results: 'separate',
  noResult({ id }) {
    const message = { role: 'tool', tool_call_id: id, content: NO_RESULT }
    return read(message, 0).parts[0] as ResultPart
  },
  message: ([result]) => result!.native,
  withParts: (entry) => entry,
}

function cleanEntries(entries: readonly Entry[], report: Report): Entry[] {
  const unanswered = new Map<unknown, string>()
  return entries.flatMap((entry) => {
    const { role, native, at } = entry
    if (role === 'tool') {
      unanswered.delete(native.tool_call_id)
      return [changed(entry, cleanResult(native, at, report))]
    }
    if (role !== 'assistant') return [entry]
    const cleaned = cleanCalls(native, unanswered, at, report)
    if (!isEmpty(cleaned)) return [changed(entry, cleaned)]
    report('empty-dropped', 'assistant', at)
    return []
  })
}

function changed(entry: Entry, message: Block): Entry {
  return message === entry.native ? entry : read(message, entry.at)
}

/** The content of a result must be a string or a list of parts. */
function cleanResult(message: Block, at: number, report: Report): Block {
  const { content, tool_call_id: id } = message
  if (typeof content === 'string' || Array.isArray(content)) return message
  report('call-fixed', String(id), at)
  return { ...message, content: JSON.stringify(content ?? '') }
}

/** `unanswered` has the calls without a result so far. A repetition of one is a duplicate. */
function cleanCalls(
  message: Block,
  unanswered: Map<unknown, string>,
  at: number,
  report: Report,
): Block {
  const { tool_calls: before, ...rest } = message
  if (!Array.isArray(before)) return message
  const unique = before.filter((call: { id?: unknown } | null) => {
    const json = JSON.stringify(call)
    const isDuplicate = call?.id !== undefined && unanswered.get(call.id) === json
    if (isDuplicate) report('duplicate-dropped', String(call.id), at)
    else unanswered.set(call?.id, json)
    return !isDuplicate
  })
  const calls = sendableCalls(unique, String(at)).map((call) => call.sent)
  if (calls.length === before.length && calls.every((call, index) => call === before[index])) {
    // An empty list of calls must be removed.
    if (calls.length > 0) return message
  }
  if (unique.length === before.length) report('call-fixed', 'tool_calls', at)
  return { ...rest, ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Many chat templates require a user message after the instructions. */
function startWithUser(entries: Entry[], report: Report): Entry[] {
  const start = entries.findIndex(({ role }) => role !== 'system')
  const first = entries[start]
  if (first?.role !== 'assistant') return entries
  report('start-added', 'user', first.at)
  return entries.toSpliced(start, 0, read({ role: 'user', content: OMITTED_START }, first.at))
}
