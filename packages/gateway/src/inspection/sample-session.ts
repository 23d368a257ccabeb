import type {
  ActivityEvent,
  CallEvent,
  SearchEvent,
  SessionReport,
} from './activity/activity-report.ts'
import { missReport } from './activity/miss-report.ts'
import { addCall, EMPTY_LEDGER } from './activity/token-ledger.ts'
import type { SampleSession, ToolLine } from './api.ts'
import type { HistoryEntry } from './history/history-entry.ts'
import { historyPage } from './history/history-page.ts'
import { markMisses } from './history/keep-history.ts'
import { timeline } from './history/timeline.ts'

const HOUR_MS = 3_600_000
/** About what the gateway's own tools take in a request. */
const LISTED_TOKENS = 900
const SESSION = 'sample'
const CLIENT = 'sample-agent'

/** What an agent does in the sample, with the minutes before now. */
interface Step {
  readonly minutes: number
  readonly event:
    | Omit<SearchEvent, 'id' | 'at' | 'session' | 'client'>
    | Omit<CallEvent, 'id' | 'at' | 'session' | 'client'>
}

/**
 * Makes up what the views look like after an hour with an agent: searches that helped, one that found
 * nothing and was repeated, calls, and a call that failed. Uses the names of real tools, and is the same
 * for the same tools. Nothing of it is recorded.
 */
export function sampleSession(tools: readonly ToolLine[], now: number): SampleSession {
  const steps = stepsWith(pickTools(tools))
  const events = steps.map(({ minutes, event }, index): ActivityEvent => {
    const at = new Date(now - minutes * 60_000).toISOString()
    return { ...event, id: index + 1, at, session: SESSION, client: CLIENT }
  })
  const entries = markMisses(
    events.map((event): HistoryEntry => ({ ...event, id: String(event.id).padStart(4, '0') })),
    { now, isClosed: () => true },
  )
  const eager = tools.reduce((sum, { tokens }) => sum + tokens, 0)
  const period = { since: now - HOUR_MS, until: now + 1 }
  const searches = entries.filter((entry) => entry.kind === 'search')
  return {
    isSample: true,
    activity: {
      sessions: [sessionReport(events, eager, now)],
      events: events.toReversed(),
      running: runningCalls(steps, now),
    },
    history: historyPage(entries, period, { limit: 100 }, true),
    timeline: timeline(entries, period, true),
    misses: missReport(searches, ({ miss }) => miss, {
      tools: [],
      since: new Date(period.since).toISOString(),
      until: new Date(now).toISOString(),
    }),
  }
}

/** Read-only tools first: a sample should not suggest that somebody deleted something. */
function pickTools(tools: readonly ToolLine[]): ToolLine[] {
  const usable = tools.filter(({ withheld }) => withheld === undefined)
  const harmless = usable.toSorted(
    (a, b) => Number(a.effect !== 'read') - Number(b.effect !== 'read'),
  )
  // From different servers where possible.
  const seen = new Set<string>()
  const first = harmless.filter(({ server }) => !seen.has(server) && seen.add(server))
  return [...first, ...harmless.filter((tool) => !first.includes(tool))].slice(0, 6)
}

function stepsWith(tools: readonly ToolLine[]): Step[] {
  const [first, second = first, third = second] = tools
  if (!first || !second || !third) return []
  const names = tools.map(({ name }) => name)
  const search = (minutes: number, query: string, hits: readonly string[]): Step => ({
    minutes,
    event: {
      kind: 'search',
      query,
      hits,
      candidates: [],
      servers: [
        ...new Set(tools.filter(({ name }) => hits.includes(name)).map(({ server }) => server)),
      ],
      milliseconds: 3,
      size: hits.length === 0 ? 180 : 700 * hits.length,
      tokens: hits.length === 0 ? 45 : 170 * hits.length,
    },
  })
  const call = (minutes: number, tool: ToolLine, failure?: string): Step => ({
    minutes,
    event: {
      kind: 'call',
      tool: tool.name,
      server: tool.server,
      milliseconds: 120,
      size: 1_400,
      tokens: 350,
      ...(failure !== undefined && { failure }),
    },
  })
  return [
    search(52, requestFor(first), names.slice(0, 3)),
    call(51, first),
    search(38, 'translate this letter to Latin', []),
    search(37, 'translate a letter into Latin', []),
    search(24, requestFor(second), [second.name]),
    call(23, second),
    call(22, second),
    search(9, requestFor(third), [third.name]),
    call(8, third, 'The server did not answer within 30 seconds.'),
    call(6, third),
  ]
}

/** @example requestFor({ name: 'mail__read_mail', server: 'mail' }) // 'read mail' */
function requestFor({ name }: ToolLine): string {
  const own = name.includes('__') ? name.slice(name.indexOf('__') + 2) : name
  return own
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
}

function runningCalls(steps: readonly Step[], now: number) {
  const last = steps.at(-1)?.event
  if (last?.kind !== 'call') return []
  return [
    {
      id: 1,
      kind: 'call' as const,
      startedAt: new Date(now - 4_000).toISOString(),
      milliseconds: 4_000,
      session: SESSION,
      client: CLIENT,
      tool: last.tool,
      ...(last.server !== undefined && { server: last.server }),
    },
  ]
}

function sessionReport(
  events: readonly ActivityEvent[],
  eager: number,
  now: number,
): SessionReport {
  const searches = events.filter((event) => event.kind === 'search')
  const calls = events.filter((event) => event.kind === 'call')
  const {
    carried: _,
    earlier: __,
    ...ledger
  } = events.reduce((before, event) => {
    const answer = event.kind === 'search' ? event.tokens : 0
    return addCall(before, { eager, listed: LISTED_TOKENS, answer, definitions: answer })
  }, EMPTY_LEDGER)
  return {
    id: SESSION,
    client: CLIENT,
    transport: 'http',
    since: events[0]?.at ?? new Date(now).toISOString(),
    lastActive: events.at(-1)?.at ?? new Date(now).toISOString(),
    isOpen: true,
    searches: searches.length,
    calls: calls.length,
    loaded: searches.flatMap(({ hits, query, at }) =>
      hits.slice(0, 1).map((name) => ({
        name,
        tokens: 170,
        at,
        query,
        calls: calls.filter(({ tool }) => tool === name).length,
      })),
    ),
    ledger,
    cacheBreaks: [],
  }
}
