import { setTimeout } from 'node:timers/promises'
import { auditCsv, CSV_HEADER } from '../audit/audit-csv.ts'
import { AUDIT_OUTCOMES, type AuditEntry } from '../audit/audit-entry.ts'
import type { AuditFilter, AuditStore } from '../audit/audit-store.ts'
import { auditLineText } from './audit-line-text.ts'
import { type CommandCall, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count } from './format.ts'
import { openAuditForCommand } from './open-audit-for-command.ts'
import { plainJson } from './plain.ts'
import { readCount } from './read-count.ts'
import { readPeriodOptions } from './read-period-options.ts'

const SHOWN = 50
const DEFAULT_SINCE = '7d'
const FOLLOW_MS = 1_000
/** Entries are recorded when a request ends, but have the time at which it arrived. */
const LONGEST_CALL_MS = 15 * 60_000
const FOLLOWED = 5_000

export async function runAudit(call: CommandCall): Promise<number> {
  const { values, terminal } = call
  if (values.json && values.csv) throw new UsageError('Use either --json or --csv.')
  const isExport = values.json === true || values.csv === true
  const fallback = isExport ? Number.MAX_SAFE_INTEGER : SHOWN
  const limit = readCount(values.limit, { option: '--limit', fallback, min: 1 })
  const filter = readFilter(call)
  const { store, isOn, close } = await openAuditForCommand(call)
  const print = (entry: AuditEntry) =>
    terminal.print(
      values.json
        ? plainJson(entry)
        : values.csv
          ? auditCsv(entry)
          : auditLineText(terminal, entry),
    )
  try {
    if (values.csv) terminal.print(CSV_HEADER)
    if (values.follow) return await follow(store, filter, print)
    if (isExport) {
      let printed = 0
      for await (const entry of store.export(filter)) {
        if (printed++ >= limit) break
        print(entry)
      }
      return OK
    }
    const { entries, next } = await store.query(filter, { limit })
    for (const entry of entries.toReversed()) print(entry)
    if (entries.length === 0) {
      terminal.say(
        isOn
          ? 'No entries match.'
          : 'The audit log is off. To turn it on, add "audit": {} to "toolsearch" in the config file.',
      )
    } else if (next !== undefined) {
      terminal.say(`The latest ${count(entries.length, 'entry', 'entries')}. Use --limit for more.`)
    }
    return OK
  } finally {
    await close()
  }
}

/** @throws UsageError */
function readFilter({ values, args }: CommandCall): AuditFilter {
  const { outcome } = values
  const known = AUDIT_OUTCOMES.find((each) => each === outcome)
  if (outcome !== undefined && !known) {
    throw new UsageError(`Invalid --outcome "${outcome}": use ${AUDIT_OUTCOMES.join(', ')}.`)
  }
  const text = (name: string) => values[name] as string | undefined
  const { since, until } = readPeriodOptions(values, DEFAULT_SINCE)
  return {
    since,
    // Also what happens from now on.
    ...(values.until !== undefined && { until }),
    person: text('person'),
    tool: text('tool'),
    server: text('server'),
    action: text('action'),
    profile: text('profile'),
    client: text('client'),
    outcome: known,
    notFound: values['not-found'] === true || undefined,
    kind: values.admin === true ? 'admin' : undefined,
    text: args.length > 0 ? args.join(' ') : undefined,
  }
}

/** A request that has not ended after this time is printed; others are printed when they end. */
const CUT_OFF_MS = 60_000

/** Prints the latest entries, and further ones as they are stored, until the process ends. */
async function follow(
  store: AuditStore,
  filter: AuditFilter,
  print: (entry: AuditEntry) => void,
): Promise<never> {
  const recent = async () => {
    const since = Date.now() - LONGEST_CALL_MS
    const { entries } = await store.query({ ...filter, since }, { limit: FOLLOWED })
    const startedBefore = new Date(Date.now() - CUT_OFF_MS).toISOString()
    return entries
      .filter(({ outcome, at }) => outcome !== 'unknown' || at < startedBefore)
      .toReversed()
  }
  let known = await recent()
  for (const entry of known.slice(-SHOWN)) print(entry)
  for (;;) {
    await setTimeout(FOLLOW_MS)
    const ids = new Set(known.map(({ id }) => id))
    known = await recent()
    for (const entry of known) if (!ids.has(entry.id)) print(entry)
  }
}
