import type { HistoryEntry, HistoryPage } from './history-entry.ts'
import type { Period } from './history-store.ts'

export interface HistoryFilter {
  /** `error`: failed calls. `miss`: searches that did not help the agent. */
  readonly kind?: HistoryKind | undefined
  readonly server?: string | undefined
  readonly client?: string | undefined
  /** Appears in the query, the tool name, a result or the error message; case does not matter. */
  readonly text?: string | undefined
  readonly limit: number
  /** The `next` of the page before. */
  readonly before?: string | undefined
}

export const HISTORY_KINDS = ['search', 'call', 'error', 'miss'] as const
export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** @param entries of the period, oldest first */
export function historyPage(
  entries: readonly HistoryEntry[],
  { since, until }: Period,
  { limit, before, ...filter }: HistoryFilter,
  isKept: boolean,
): HistoryPage {
  const matching = entries.filter((entry) => matches(entry, filter)).reverse()
  const from = before === undefined ? 0 : matching.findIndex(({ id }) => id < before)
  const page = from < 0 ? [] : matching.slice(from, from + limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && last !== matching.at(-1)
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    entries: page,
    total: matching.length,
    ...(hasMore && { next: last.id }),
    servers: [...new Set(entries.flatMap(serversOf))].sort(),
    clients: [...new Set(entries.map(({ client }) => client))].sort(),
    isKept,
  }
}

function matches(
  entry: HistoryEntry,
  { kind, server, client, text }: Omit<HistoryFilter, 'limit' | 'before'>,
): boolean {
  if (kind !== undefined && !isOfKind(entry, kind)) return false
  if (client !== undefined && entry.client !== client) return false
  if (server !== undefined && !serversOf(entry).includes(server)) return false
  return text === undefined || textOf(entry).toLowerCase().includes(text.toLowerCase())
}

function isOfKind(entry: HistoryEntry, kind: HistoryKind): boolean {
  if (kind === 'error') return entry.kind === 'call' && entry.failure !== undefined
  if (kind === 'miss') return entry.kind === 'search' && entry.miss !== undefined
  return entry.kind === kind
}

function serversOf(entry: HistoryEntry): readonly string[] {
  if (entry.kind === 'search') return entry.servers
  return entry.server === undefined ? [] : [entry.server]
}

function textOf(entry: HistoryEntry): string {
  if (entry.kind === 'call') return `${entry.tool}\n${entry.failure ?? ''}`
  return [entry.query, ...entry.hits, ...entry.candidates].join('\n')
}
