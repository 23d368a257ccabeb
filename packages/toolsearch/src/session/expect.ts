import type { LoadingMode } from '../stores/ledger.ts'
import { addLoaded, type SessionRecord } from '../stores/session-record.ts'
import { expectedIn } from '../transcript/reveal.ts'
import type { ExpectedTools } from './expected-tools.ts'
import { toLoaded } from './rebuild-record.ts'
import type { AppendOnly } from './turn.ts'

/** Whether `expect` can add a tool to a request without changing what earlier requests had. */
export function mayExpect(
  { active, sent, seen }: SessionRecord,
  appendOnly: Pick<AppendOnly, 'reveal'> | undefined,
): boolean {
  if (appendOnly === undefined || expectedIn(appendOnly) !== 'listed') return true
  // the tools can only be listed, which changes nothing in the first request
  return !active && sent.length === 0 && seen === undefined
}

/** The record of a conversation whose next request has these tools. */
export function addExpected(
  record: SessionRecord,
  { tools, notice }: Pick<ExpectedTools, 'tools' | 'notice'>,
  loading: LoadingMode,
): SessionRecord {
  const next = loading === 'none' ? record : addLoaded(record, tools.map(toLoaded)).record
  if (notice === '') return next
  const names = tools.map(({ name }) => name)
  return { ...next, described: [...new Set([...(next.described ?? []), ...names])] }
}

/** The tools that the messages have, or will have after this turn. The list leaves them out. */
export function toolsInMessages(
  appendOnly: AppendOnly,
  { described = [] }: SessionRecord,
  expected: Pick<ExpectedTools, 'tools'> | undefined,
  forced: string | undefined,
): NonNullable<AppendOnly['revealed']> {
  const { revealed, places } = appendOnly
  const form = expectedIn(appendOnly)
  if (revealed === 'loaded' || form === 'listed') return revealed ?? new Set()
  // a caller who reads the messages knows which notices are left, unless the session keeps them
  const isKnown = form === 'described' && (revealed === undefined || places !== undefined)
  const added = expected?.tools.map(({ name }) => name) ?? []
  const kept = isKnown ? described.filter((name) => name !== forced) : []
  return new Set([...(revealed ?? []), ...kept, ...added])
}
