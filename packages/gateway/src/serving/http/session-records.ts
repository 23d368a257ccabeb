import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../identity/caller.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import type { SharedState } from '../../state/shared-state.ts'
import type { Remembered } from '../connection-memory.ts'

/** A session of a legacy client, from which any replica can open it. */
export interface SessionRecord extends Remembered {
  /** The id of the person who opened it, and the profile. */
  readonly person: string
  readonly profile?: string | undefined
  /** The `initialize` request. */
  readonly initialize: JsonObject
}

/** What replicas tell each other about a session. */
export type SessionEvent =
  | { readonly kind: 'closed'; readonly session: string }
  | { readonly kind: 'changed'; readonly session: string }
  /** A client receives notifications from the sender now. */
  | { readonly kind: 'stream'; readonly session: string }
  /** A client has cancelled a request that another replica may be running. */
  | { readonly kind: 'cancelled'; readonly session: string; readonly params: JsonObject }

/** The sessions that all replicas share. Methods reject while the store cannot be reached. */
export interface SessionRecords {
  create(id: string, record: SessionRecord): Promise<void>
  read(id: string): Promise<SessionRecord | undefined>
  /** Resolves to the new record, or to undefined if there is no session. */
  change(
    id: string,
    change: (record: SessionRecord) => SessionRecord,
  ): Promise<SessionRecord | undefined>
  /** Keeps a session for longer. Stores it again if it has disappeared, unless it was removed. */
  touch(id: string, record: SessionRecord): Promise<void>
  /** Removes a session for good: a replica that has not heard of it yet cannot store it again. */
  remove(id: string): Promise<void>
  /** Tells the other replicas. Never rejects. */
  announce(event: SessionEvent): Promise<void>
  close(): void
}

export interface SessionRecordsOptions {
  readonly idleMs: number
  /**
   * How many sessions the store keeps of one person, on all replicas together: the oldest ends. A large one counts
   * as several.
   * @default 1_000
   */
  readonly maxPerPerson?: number
  /** Runs for each event of another replica. */
  readonly onEvent: (event: SessionEvent) => void
  /**
   * Events may have been missed.
   *
   * @param isLost whether the store has lost its data, so that sessions have to be stored again
   */
  readonly onGap: (isLost: boolean) => void
}

/** Hardly any client needs as much for its `initialize` request. */
const USUAL_INITIALIZE_CHARS = 10_000
const CHANNEL = 'sessions'
/** A random value that exists for as long as the data do. */
const EPOCH = 'sessions-epoch'
const EPOCH_MS = 10 * 365 * 24 * 3_600_000
/** Takes the place of a session that was removed, for longer than replicas take to hear of it. Nobody owns it. */
const REMOVED = '{}'
const REMOVED_MS = 60_000
/** How long replicas may take to store their sessions again after the store has lost its data. */
const RECOVERY_MS = 5_000

export function createSessionRecords(
  state: SharedState,
  { idleMs, maxPerPerson = 1_000, onEvent, onGap }: SessionRecordsOptions,
): SessionRecords {
  const sender = randomUUID()
  let epoch: string | undefined
  let recoversUntil = 0
  const stopping = state.subscribe(
    CHANNEL,
    (text) => {
      const { from, ...event } = JSON.parse(text) as SessionEvent & { from: string }
      if (from !== sender) onEvent(event as SessionEvent)
    },
    () => {
      onGap(false)
      void checkEpoch().catch(() => {})
    },
  )
  checkEpoch().catch(() => {})

  /** Notices that the data were lost since the last time. */
  async function checkEpoch(): Promise<void> {
    const current = await state.update(EPOCH, (value) => value ?? randomUUID(), EPOCH_MS)
    const isLost = epoch !== undefined && epoch !== current
    epoch = current
    if (!isLost) return
    recoversUntil = Date.now() + RECOVERY_MS
    onGap(true)
  }

  async function read(id: string): Promise<SessionRecord | undefined> {
    for (;;) {
      const text = await state.get(keyOf(id))
      if (text !== undefined) return recordIn(text)
      if ((await state.get(EPOCH)) !== epoch) await checkEpoch()
      if (Date.now() >= recoversUntil) return undefined
      await delay(100)
    }
  }

  /** Ends the oldest sessions of a person who has too many. */
  async function makeRoom(id: string, { person, initialize }: SessionRecord): Promise<void> {
    const added: string[] = Array.from({ length: sessionSize(initialize) }, () => id)
    let ended: readonly string[] = []
    await state.update(
      `sessions-of:${person}`,
      (value) => {
        const ids = [...(value?.split(' ') ?? []), ...added]
        const kept = ids.slice(-maxPerPerson)
        const isKept = new Set(kept)
        ended = [...new Set(ids)].filter((each) => !isKept.has(each))
        return kept.join(' ')
      },
      idleMs,
    )
    for (const session of ended) {
      await state.set(keyOf(session), REMOVED, REMOVED_MS)
      onEvent({ kind: 'closed', session })
      await announce({ kind: 'closed', session })
    }
  }

  async function announce(event: SessionEvent): Promise<void> {
    const text = JSON.stringify({ ...event, from: sender })
    await state.publish(CHANNEL, text).catch(() => {})
  }

  const write = (record: SessionRecord) => JSON.stringify(record)
  return {
    async create(id, record) {
      await makeRoom(id, record)
      await state.set(keyOf(id), write(record), idleMs)
    },
    read,
    async change(id, change) {
      const text = await state.update(
        keyOf(id),
        (value) => {
          const record = recordIn(value)
          return record ? write(change(record)) : value
        },
        idleMs,
      )
      return recordIn(text)
    },
    async touch(id, record) {
      if (await state.touch(keyOf(id), idleMs)) return
      await state.update(keyOf(id), (value) => value ?? write(record), idleMs)
    },
    remove: (id) => state.set(keyOf(id), REMOVED, REMOVED_MS),
    announce,
    close: () => void stopping.then((stop) => stop()),
  }
}

/** As how many sessions one counts: what its `initialize` request contains is kept for as long as the session. */
export function sessionSize(initialize: JsonObject): number {
  return Math.ceil(JSON.stringify(initialize).length / USUAL_INITIALIZE_CHARS)
}

function recordIn(text: string | undefined): SessionRecord | undefined {
  return text === undefined || text === REMOVED ? undefined : JSON.parse(text)
}

/** Whether a caller has opened a session. */
export function isOwner({ person, profile }: SessionRecord, caller: Caller): boolean {
  return person === caller.person.id && profile === caller.profile
}

function keyOf(id: string): string {
  return `session:${id}`
}
