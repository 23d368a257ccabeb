import type {
  ActiveClient,
  Activity,
  ActivityUpdate,
  FinishedCall,
  StartedCall,
} from './activity.ts'
import type {
  ActivityEvent,
  CacheBreak,
  CallEvent,
  EventCost,
  LoadedTool,
  RunningCall,
  SessionReport,
  TokenLedger,
} from './activity-report.ts'
import { IDLE_MS } from './miss-report.ts'
import { addCall, EMPTY_LEDGER, type LedgerState } from './token-ledger.ts'

export interface ActivityOptions {
  readonly transport: SessionReport['transport']
  /** Older events are dropped. @default 2_000 */
  readonly maxEvents?: number
  /** Beyond that, the least recently active session is dropped, closed ones first. @default 200 */
  readonly maxSessions?: number
  readonly now?: () => number
}

interface Session {
  readonly client: ActiveClient
  readonly since: number
  lastActive: number
  /** `undefined` where the protocol has no connections. */
  isConnected: boolean | undefined
  searches: number
  calls: number
  ledger: LedgerState
  /** When the latest call ended. */
  answeredAt: number
  readonly loaded: Map<string, LoadedTool>
  readonly cacheBreaks: CacheBreak[]
}

const TEXT_CHARS = 300
const MAX_LOADED = 500
const MAX_BREAKS = 50
const MAX_RUNNING = 100
/** Even fast models take longer than this from an answer to their next call. */
const MIN_TURN_MS = 100

interface Started extends StartedCall {
  readonly id: number
  readonly client: ActiveClient
  readonly at: number
}

export function createActivity({
  transport,
  maxEvents = 2_000,
  maxSessions = 200,
  now = Date.now,
}: ActivityOptions): Activity {
  // In order of activity: the most recently active session is last.
  const sessions = new Map<string, Session>()
  const events: ActivityEvent[] = []
  const found = new Map<string, number>()
  const calls = new Map<string, number>()
  const listeners = new Set<(update: ActivityUpdate) => void>()
  let count = 0
  // In the order in which the calls started.
  const inProgress = new Map<number, Started>()
  let startedCount = 0

  return {
    connected(client) {
      const session = touch(client)
      session.isConnected = true
      notifySession(session)
    },
    disconnected(id) {
      const session = sessions.get(id)
      if (!session) return
      session.isConnected = false
      notifySession(session)
    },
    started(client, call) {
      const id = ++startedCount
      inProgress.set(id, { ...call, id, client, at: now() })
      notify({ kind: 'running' })
      return () => {
        if (inProgress.delete(id)) notify({ kind: 'running' })
      }
    },
    searched(client, { query, hits, candidates, servers = [], ...call }) {
      const session = touch(client)
      session.searches += 1
      for (const name of hits) increment(found, name)
      const cost = addAnswer(session, call, query)
      const search = { query: cut(query), hits, candidates, servers }
      addEvent({ ...base(session, call, cost), kind: 'search', ...search }, session)
    },
    called(client, { tool, server, failure, script, ...call }) {
      const session = touch(client)
      session.calls += 1
      if (server !== undefined) increment(calls, tool)
      const known = session.loaded.get(tool)
      if (known) session.loaded.set(tool, { ...known, calls: known.calls + 1 })
      const cost = addAnswer(session, call)
      const event: CallEvent = {
        ...base(session, call, cost),
        kind: 'call',
        tool: cut(tool),
        ...(server !== undefined && { server }),
        ...(failure !== undefined && { failure: cut(failure) }),
        ...(script !== undefined && { script }),
      }
      addEvent(event, session)
    },
    listChanged(reason, id) {
      const at = iso(now())
      for (const session of sessions.values()) {
        if (id === undefined ? !isOpen(session) : session.client.id !== id) continue
        // The model got no request yet, so the provider has nothing cached.
        if (session.ledger.requests === 0) continue
        session.cacheBreaks.push({ at, reason })
        if (session.cacheBreaks.length > MAX_BREAKS) session.cacheBreaks.shift()
        notifySession(session)
      }
    },
    report: () => ({
      sessions: [...sessions.values()].reverse().map(reportOf),
      events: events.toReversed(),
      running: running(),
    }),
    running,
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

  function running(): RunningCall[] {
    const longest = [...inProgress.values()].slice(0, MAX_RUNNING)
    return longest.map(({ id, kind, tool, server, query, client, at }) => ({
      id,
      kind,
      startedAt: iso(at),
      milliseconds: now() - at,
      session: client.id,
      client: client.name,
      tool: cut(tool),
      ...(server !== undefined && { server }),
      ...(query !== undefined && { query: cut(query) }),
    }))
  }

  function touch(client: ActiveClient): Session {
    const { id } = client
    const session = sessions.get(id) ?? start(client)
    session.lastActive = now()
    sessions.delete(id)
    sessions.set(id, session)
    dropIdleSession()
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
      answeredAt: Number.NEGATIVE_INFINITY,
      loaded: new Map(),
      cacheBreaks: [],
    }
  }

  function dropIdleSession(): void {
    if (sessions.size <= maxSessions) return
    const [oldest] = sessions.keys()
    const closed = [...sessions].find(([, session]) => !isOpen(session))
    sessions.delete(closed?.[0] ?? oldest!)
  }

  /** Adds what an answer added to the conversation, and returns what that cost. */
  function addAnswer(
    session: Session,
    { cost, milliseconds, definitions = [] }: FinishedCall,
    query?: string,
  ): EventCost | undefined {
    const before = session.ledger
    const tokens = definitions.reduce((sum, definition) => sum + definition.tokens, 0)
    if (cost) {
      // A model calls again only after it has read all answers, which takes longer than this.
      const isParallel = now() - milliseconds < session.answeredAt + MIN_TURN_MS
      session.answeredAt = now()
      session.ledger = addCall(session.ledger, { ...cost, definitions: tokens }, isParallel)
    }
    for (const { name, tokens, query: own = query } of definitions) {
      if (session.loaded.has(name) || session.loaded.size >= MAX_LOADED) continue
      const foundBy = own !== undefined && { query: cut(own) }
      session.loaded.set(name, { name, tokens, at: iso(now()), ...foundBy, calls: 0 })
    }
    return cost && costBetween(before, session.ledger)
  }

  function base(
    { client }: Session,
    { milliseconds, size, tokens = 0 }: FinishedCall,
    cost: EventCost | undefined,
  ) {
    const { id: session, name, person } = client
    const sender = { session, client: name, ...(person !== undefined && { person }) }
    return {
      id: ++count,
      at: iso(now()),
      ...sender,
      milliseconds,
      size,
      tokens,
      ...(cost && { cost }),
    }
  }

  function addEvent(event: ActivityEvent, session: Session): void {
    events.push(event)
    if (events.length > maxEvents) events.shift()
    notify({ kind: 'activity', event })
    notifySession(session)
  }

  function notifySession({ client: { id } }: Session): void {
    notify({ kind: 'session', id })
  }

  function notify(update: ActivityUpdate): void {
    for (const listener of listeners) listener(update)
  }

  function isOpen({ isConnected, lastActive }: Session): boolean {
    return isConnected ?? now() - lastActive < IDLE_MS
  }

  function reportOf(session: Session): SessionReport {
    const { client, since, lastActive, searches, calls, loaded, cacheBreaks } = session
    const { carried: _, earlier: __, ...ledger } = session.ledger
    return {
      id: client.id,
      client: client.name,
      ...(client.person !== undefined && { person: client.person }),
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

/** A parallel call belongs to the same request as the one before, so it can also take something back. */
function costBetween(before: TokenLedger, after: TokenLedger): EventCost {
  return {
    tokens: after.listing + after.searches - before.listing - before.searches,
    saved: after.saved - before.saved,
  }
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function cut(text: string): string {
  return text.slice(0, TEXT_CHARS).toWellFormed()
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
