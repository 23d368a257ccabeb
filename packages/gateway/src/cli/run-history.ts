import type { HistoryEntry } from '../inspection/api.ts'
import { HISTORY_KINDS, type HistoryKind, historyPage } from '../inspection/history/history-page.ts'
import { callText } from './call-text.ts'
import { type CommandCall, OK, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count, paint } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { readCount } from './read-count.ts'
import { readStoredHistory } from './read-stored-history.ts'

const SHOWN = 50
const DEFAULT_SINCE = '7d'

export async function runHistory(call: CommandCall): Promise<number> {
  const { values, args, terminal } = call
  const fallback = values.json ? Number.MAX_SAFE_INTEGER : SHOWN
  const limit = readCount(values.limit, { option: '--limit', fallback, min: 1 })
  const { kind } = values
  if (kind !== undefined && !HISTORY_KINDS.includes(kind as HistoryKind)) {
    throw new UsageError(`Invalid --kind "${kind}": use ${HISTORY_KINDS.join(', ')}.`)
  }
  const { period, entries } = await readStoredHistory(call, DEFAULT_SINCE)
  const filter = {
    kind: kind as HistoryKind | undefined,
    server: values.server as string | undefined,
    client: values.client as string | undefined,
    text: args.length > 0 ? args.join(' ') : undefined,
    limit,
  }
  const page = historyPage(entries, period, filter, true)
  if (values.json) {
    terminal.print(plainJson(page, 2))
    return OK
  }
  for (const entry of page.entries.toReversed()) terminal.print(entryLine(terminal, entry))
  const shown = page.entries.length
  if (page.total === 0) {
    terminal.say(
      entries.length === 0
        ? `No searches or calls since ${day(page.since)}. They are recorded while toolsearch serve runs.`
        : `None of ${count(entries.length, 'entry', 'entries')} matches.`,
    )
  } else if (shown < page.total) {
    terminal.say(
      `The latest ${shown} of ${count(page.total, 'entry', 'entries')}. Use --limit for more.`,
    )
  }
  return OK
}

function entryLine(terminal: Terminal, entry: HistoryEntry): string {
  const start = `${new Date(entry.at).toLocaleString('sv')}  ${entry.client}`
  if (entry.kind === 'search') {
    const found = [...entry.hits, ...entry.candidates].join(', ') || 'no results'
    const miss =
      entry.miss === undefined ? '' : paint(terminal, 'yellow', `  (${MISSES[entry.miss]})`)
    return `${plain(`${start}  searched "${entry.query}": ${found}`)}${miss}`
  }
  const took = `${entry.milliseconds.toFixed(0)} ms`
  const failure = entry.failure?.split('\n')[0]
  const failed = failure === undefined ? '' : paint(terminal, 'red', `  failed: ${plain(failure)}`)
  return `${plain(`${start}  ${callText(entry)}`)}  ${took}${failed}`
}

const MISSES: Readonly<
  Record<NonNullable<Extract<HistoryEntry, { kind: 'search' }>['miss']>, string>
> = {
  'nothing-found': 'found nothing',
  'low-confidence': 'found nothing sure',
  repeated: 'retried in other words',
  'not-called': 'results unused',
}

function day(iso: string): string {
  return iso.slice(0, 10)
}
