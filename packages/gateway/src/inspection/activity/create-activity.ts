import type { ActiveClient, Activity, ActivityNews, Done } from './activity.ts'
import type { ActivityEvent, CallEvent } from './activity-event.ts'
import { QUIET_MS } from './miss-report.ts'
import type { CacheBreak, LoadedTool, SessionReport } from './session-report.ts'
import { addCall, EMPTY_LEDGER, type LedgerState } from './token-ledger.ts'

export interface ActivityOptions {
  readonly transport: SessionReport['transport']
  /** The oldest are forgotten. @default 2_000 */
  readonly maxEvents?: number
  /** Those that were quiet for longest are forgotten, closed ones first. @default 200 */
  readonly maxSessions?: number
  readonly now?: () => number
}

interface Session {
  readonly client: ActiveClient
  readonly since: number
  lastActive: number
  /** Unknown where the protocol has no connections. */
  isConnected: boolean | undefined
  searches: number
  calls: number
  ledger: LedgerState
  readonly loaded: Map<string, LoadedTool>
  readonly cacheBreaks: CacheBreak[]
}

const TEXT_CHARS = 300
const MAX_LOADED = 500
const MAX_BREAKS = 50

export function createActivity({
  transport,
  maxEvents = 2_000,
  maxSessions = 200,
  now = Date.now,
}: ActivityOptions): Activity {
  // the one that was active last is last
  const sessions = new Map<string, Session>()
  const events: ActivityEvent[] = []
  const found = new Map<string, number>()
  const calls = new Map<string, number>()
  const listeners = new Set<(news: ActivityNews) => void>()
  let count = 0

  return {
    connected(client) {
      const session = touch(client)
      session.isConnected = true
      tellSession(session)
    },
    disconnected(id) {
      const session = sessions.get(id)
      if (!session) return
      session.isConnected = false
      tellSession(session)
    },
    searched(client, { query, hits, ...done }) {
      const session = touch(client)
      session.searches += 1
      for (const name of hits) countOne(found, name)
      note(session, done, query)
      add({ ...base(session, done), kind: 'search', query: cut(query), hits }, session)
    },
    called(client, { tool, server, failure, ...done }) {
      const session = touch(client)
      session.calls += 1
      if (server !== undefined) countOne(calls, tool)
      const known = session.loaded.get(tool)
      if (known) session.loaded.set(tool, { ...known, calls: known.calls + 1 })
      note(session, done)
      const event: CallEvent = {
        ...base(session, done),
        kind: 'call',
        tool: cut(tool),
        ...(server !== undefined && { server }),
        ...(failure !== undefined && { failure: cut(failure) }),
      }
      add(event, session)
    },
    listChanged(reason, id) {
      const at = iso(now())
      for (const session of sessions.values()) {
        if (id === undefined ? !isOpen(session) : session.client.id !== id) continue
        // nothing of it was sent to a provider yet
        if (session.ledger.requests === 0) continue
        session.cacheBreaks.push({ at, reason })
        if (session.cacheBreaks.length > MAX_BREAKS) session.cacheBreaks.shift()
        tellSession(session)
      }
    },
    report: () => ({
      sessions: [...sessions.values()].reverse().map(reportOf),
      events: events.toReversed(),
    }),
    session(id) {
      const session = sessions.get(id)
      return session && reportOf(session)
    },
    timesFound: (tool) => found.get(tool) ?? 0,
    timesCalled: (tool) => calls.get(tool) ?? 0,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function touch(client: ActiveClient): Session {
    const { id } = client
    const session = sessions.get(id) ?? start(client)
    session.lastActive = now()
    sessions.delete(id)
    sessions.set(id, session)
    forgetQuiet()
    return session
  }

  function start(client: ActiveClient): Session {
    return {
      client,
      since: now(),
      lastActive: now(),
      isConnected: undefined,
      searches: 0,
      calls: 0,
      ledger: EMPTY_LEDGER,
      loaded: new Map(),
      cacheBreaks: [],
    }
  }

  function forgetQuiet(): void {
    if (sessions.size <= maxSessions) return
    const [oldest] = sessions.keys()
    const closed = [...sessions].find(([, session]) => !isOpen(session))
    sessions.delete(closed?.[0] ?? oldest!)
  }

  /** What an answer added to the conversation. */
  function note(session: Session, { cost, definitions = [] }: Done, query?: string): void {
    const tokens = definitions.reduce((sum, one) => sum + one.tokens, 0)
    session.ledger = addCall(session.ledger, { ...cost, definitions: tokens })
    for (const one of definitions) {
      if (session.loaded.has(one.name) || session.loaded.size >= MAX_LOADED) continue
      const { name, tokens } = one
      const by = query !== undefined && { query: cut(query) }
      session.loaded.set(name, { name, tokens, at: iso(now()), ...by, calls: 0 })
    }
  }

  function base({ client }: Session, { milliseconds, size }: Done) {
    const at = iso(now())
    return { id: ++count, at, session: client.id, client: client.name, milliseconds, size }
  }

  function add(event: ActivityEvent, session: Session): void {
    events.push(event)
    if (events.length > maxEvents) events.shift()
    tell({ kind: 'activity', event })
    tellSession(session)
  }

  function tellSession({ client: { id } }: Session): void {
    tell({ kind: 'session', id })
  }

  function tell(news: ActivityNews): void {
    for (const listener of listeners) listener(news)
  }

  function isOpen({ isConnected, lastActive }: Session): boolean {
    return isConnected ?? now() - lastActive < QUIET_MS
  }

  function reportOf(session: Session): SessionReport {
    const { client, since, lastActive, searches, calls, loaded, cacheBreaks } = session
    const { carried: _, ...ledger } = session.ledger
    return {
      id: client.id,
      client: client.name,
      transport,
      since: iso(since),
      lastActive: iso(lastActive),
      isOpen: isOpen(session),
      searches,
      calls,
      loaded: [...loaded.values()],
      ledger,
      cacheBreaks: [...cacheBreaks],
    }
  }
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function cut(text: string): string {
  return text.slice(0, TEXT_CHARS).toWellFormed()
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
