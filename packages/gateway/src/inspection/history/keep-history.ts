import { randomBytes } from 'node:crypto'
import { isAlive } from '../../system/is-alive.ts'
import type { Activity } from '../activity/activity.ts'
import type { ActivityEvent } from '../activity/activity-report.ts'
import { findMisses } from '../activity/find-misses.ts'
import { IDLE_MS } from '../activity/miss-report.ts'
import type { HistoryEntry } from './history-entry.ts'
import type { HistoryStore, Period } from './history-store.ts'

/** The searches and calls of a gateway, on disk if possible and in memory otherwise. */
export interface History {
  /** The entries of a period, oldest first. Never rejects. */
  read(period: Period): Promise<readonly HistoryEntry[]>
  /** Whether entries are kept on disk. */
  readonly isKept: boolean
  /** Where entries are kept. */
  readonly folder?: string
  /** Stops to record and writes what is left. Never rejects. */
  close(): Promise<void>
}

export interface KeepHistoryOptions {
  /** Without it, nothing is written. */
  readonly store?: HistoryStore | undefined
  /** Called for each entry, because people edit the configuration. @default always */
  readonly isOn?: () => boolean
  /** Masks secrets in a query or an error message. */
  readonly mask?: (text: string) => string
  readonly now?: () => number
}

/** Keeps what a gateway records in a history. */
export function keepHistory(
  activity: Activity,
  { store, isOn = () => true, mask = (text) => text, now = Date.now }: KeepHistoryOptions = {},
): History {
  // Session and event ids start again with every process. Its id tells readers whether it has ended,
  // unless they are on another machine.
  const id = randomBytes(store?.isShared ? 8 : 4).toString('hex')
  const run = store?.isShared ? id : `${id}.${process.pid.toString(36)}`
  const toEntry = (event: ActivityEvent) => historyEntry(event, run, mask)
  const stop = activity.subscribe((update) => {
    if (update.kind === 'activity' && isOn()) store?.append(toEntry(update.event))
  })
  const history: History = {
    async read({ since, until }) {
      const stored = history.isKept ? await store!.read({ since, until }) : undefined
      const entries =
        stored ??
        activity
          .report()
          .events.toReversed()
          .map(toEntry)
          .filter(({ at }) => Date.parse(at) >= since && Date.parse(at) < until)
      return markMisses(entries, {
        now: now(),
        isClosed: (session) => {
          const [process, id = ''] = splitSession(session)
          return process === run && activity.session(id)?.isOpen === false
        },
      })
    },
    get isKept() {
      return store !== undefined && isOn() && store.isWorking
    },
    ...(store && { folder: store.folder }),
    async close() {
      stop()
      await store?.flush()
    },
  }
  return history
}

/** Adds to each search whether it helped the agent. */
export function markMisses(
  entries: readonly HistoryEntry[],
  { now, isClosed = () => false }: { now: number; isClosed?: (session: string) => boolean },
): HistoryEntry[] {
  const lastActive = new Map(entries.map(({ session, at }) => [session, Date.parse(at)]))
  const isActive = (session: string) =>
    now - (lastActive.get(session) ?? 0) < IDLE_MS && !isClosed(session) && !hasEnded(session)
  const misses = findMisses(entries, isActive)
  return entries.map((entry) => {
    const miss = misses.get(entry)
    return miss && entry.kind === 'search' ? { ...entry, miss } : entry
  })
}

function historyEntry(
  event: ActivityEvent,
  run: string,
  mask: (text: string) => string,
): HistoryEntry {
  const { id, ...rest } = event
  const time = Date.parse(event.at).toString(36).padStart(9, '0')
  const entry = {
    id: `${time}-${run}-${id.toString(36).padStart(6, '0')}`,
    session: `${run}:${event.session}`,
  }
  if (rest.kind === 'search') return { ...rest, ...entry, query: mask(rest.query) }
  const { failure } = rest
  return { ...rest, ...entry, ...(failure !== undefined && { failure: mask(failure) }) }
}

/** Whether the process that recorded a session has ended, and the session with it. */
function hasEnded(session: string): boolean {
  const [run] = splitSession(session)
  const [, pid] = /^[\da-f]{8}\.([\da-z]+)$/.exec(run) ?? []
  return pid !== undefined && !isAlive(Number.parseInt(pid, 36))
}

function splitSession(session: string): [run: string, id?: string] {
  const colon = session.indexOf(':')
  return [session.slice(0, colon), session.slice(colon + 1)]
}
