import type { Block } from '../../transcript/block.ts'
import type { CallPart, Entry, ResultPart } from '../../transcript/entry.ts'
import { matchResults } from '../../transcript/match-results.ts'
import { type PairLayout, pairCalls } from '../../transcript/pair-calls.ts'
import { withParts } from '../../transcript/with-parts.ts'
import type { Repair, RepairedEntries } from '../provider.ts'
import { NO_RESULT, OMITTED_START } from '../repair-texts.ts'
import { isSendable, read, readPart, text, unsigned } from './read.ts'

/**
 * Makes a history acceptable to the service. `addSignatures` is for Gemini 3 and later, which reject
 * calls without a thought signature. Earlier models ignore signatures.
 */
export function repair(entries: readonly Entry[], addSignatures = false): RepairedEntries {
  const repairs: Repair[] = []
  const report: Report = (kind, about, at) => repairs.push({ kind, about, at })
  const sendable = entries.flatMap((entry) =>
    dropUnsendable(entry, report).map((kept) =>
      addSignatures ? addSignature(kept, report) : kept,
    ),
  )
  const paired = pairCalls(sendable, matchResults(sendable), LAYOUT, report)
  // The service also rejects a history from which everything was dropped.
  if (paired.length === 0 && repairs.length > 0) {
    report('start-added', 'user', 0)
    return { entries: [userEntry(OMITTED_START, 0)], repairs }
  }
  return { entries: insertUserContents(paired, report), repairs }
}

type Report = (kind: Repair['kind'], about: string, at: number) => void

const LAYOUT: PairLayout = {
  results: 'alone',
  noResult: (call) =>
    readPart({
      functionResponse: { ...identityOf(call), response: { error: NO_RESULT } },
    }) as ResultPart,
  message: (results) => ({ role: 'user', parts: results.map(({ native }) => native) }),
  withParts: (entry, parts) => withParts(entry, parts, 'parts'),
  /** The service rejects the name of the tool inside a call to `call_tool`. */
  address(result, call) {
    if (result.name === call.name) return result
    const { id: _, ...response } = result.native.functionResponse as Block
    const functionResponse = { ...response, ...identityOf(call) }
    return readPart({ ...result.native, functionResponse }) as ResultPart
  },
}

function identityOf({ id, name }: CallPart): Block {
  return { ...(id !== undefined && { id }), name }
}

function dropUnsendable(entry: Entry, report: Report): Entry[] {
  const { role, parts, native, at } = entry
  const kept = parts.filter((part) => isSendable(part.native, role === 'assistant'))
  if (kept.length > 0 && kept.length === parts.length) return [entry]
  report('empty-dropped', String(native.role ?? 'user'), at)
  return kept.length === 0 ? [] : [withParts(entry, kept, 'parts')]
}

/** Of several calls, only the first needs a signature. */
function addSignature(entry: Entry, report: Report): Entry {
  const at = entry.parts.findIndex(({ type }) => type === 'call')
  const call = entry.parts[at]
  if (call === undefined || call.native.thoughtSignature !== undefined) return entry
  report('signature-added', 'model', entry.at)
  return withParts(entry, entry.parts.with(at, readPart(unsigned(call.native))), 'parts')
}

/**
 * The service requires a user content at the start of the history and before every content with
 * calls. Responses count as user contents.
 */
function insertUserContents(entries: readonly Entry[], report: Report): readonly Entry[] {
  return entries.flatMap((entry, index) => {
    const { role, parts, at } = entry
    const previous = entries[index - 1]
    const hasCalls = parts.some(({ type }) => type === 'call')
    const needsUser = previous === undefined || (previous.role === 'assistant' && hasCalls)
    if (role !== 'assistant' || !needsUser) return [entry]
    report('start-added', 'user', at)
    return [userEntry(previous === undefined ? OMITTED_START : 'Continue.', at), entry]
  })
}

function userEntry(words: string, at: number): Entry {
  return read({ role: 'user', parts: [text(words)] }, at)
}
