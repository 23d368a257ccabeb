import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  McpServer,
  type McpServerFactory,
  type Server,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf, isSameCaller } from '../../identity/caller.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import { withFirstEvent } from '../../protocol/with-first-event.ts'
import type { ReplicaCalls } from '../../state/replica-calls.ts'
import type { SharedState } from '../../state/shared-state.ts'
import { isStateUnavailable } from '../../state/state-unavailable-error.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'
import { hasCallInFlight } from '../calls-in-flight.ts'
import { memoryOf, type Remembered } from '../connection-memory.ts'
import { passOnAnswers } from './pass-on-answers.ts'
import {
  createSessionRecords,
  isOwner,
  type SessionEvent,
  type SessionRecord,
  sessionSize,
} from './session-records.ts'
import {
  RETRY_MS,
  replayInitialize,
  type SessionTransport,
  sessionTransport,
} from './session-transport.ts'
import { createStreamEvents, type StreamEvents } from './stream-events.ts'

/** Sessions of legacy clients. They let the gateway send requests and notifications to a client. */
export interface LegacySessions {
  /** Opens a session. `parsedBody` is the `initialize` request. */
  open(request: Request, given: GivenRequest): Promise<Response>
  /** Handles a request in a session, if the caller has opened it. */
  resume(id: string, request: Request, given?: GivenRequest): Promise<Response>
  /** The SDK's server for a session, if the session is open here and the caller has opened it. */
  find(id: string, caller: Caller): Server | undefined
  close(): Promise<void>
}

/** What is known about a request before the SDK gets it. */
interface GivenRequest {
  /** The body, if it has been read. */
  readonly parsedBody?: unknown
  readonly authInfo?: AuthInfo
}

export interface LegacySessionsOptions {
  /** Limit for request bodies, in bytes. */
  readonly maxBody: number
  /** @default in memory */
  readonly streams?: StreamEvents
  /**
   * If there are more, the person who has the most loses the one that has been idle longest. Sessions with
   * a call in flight are closed only if there are twice as many. A large one counts as several. @default 1_000
   */
  readonly maxSessions?: number
  /** Sessions that have been idle for this long are closed. @default 1 hour */
  readonly idleMs?: number
  readonly now?: () => number
  /** Lets every replica serve every session. @default sessions belong to this process */
  readonly shared?: SharedSessions | undefined
}

interface SharedSessions {
  readonly state: SharedState
  readonly replicas: ReplicaCalls
  /** Cancels a call that runs without the SDK. Returns false if there is none with that id. */
  readonly cancelCall: (server: Server, id: unknown) => boolean
}

interface Session {
  /** Nobody else can use the session: knowing its id is not enough. */
  readonly owner: Caller
  /** Kept for other replicas. */
  readonly initialize: JsonObject | undefined
  /** How many sessions it counts as. */
  readonly size: number
  readonly server: Server
  readonly transport: SessionTransport
  lastUse: number
  /** When the record was last kept for longer. */
  touchedAt: number
  /** False after events of other replicas may have been missed. */
  isCertain: boolean
}

/** The store is not asked about anything else. */
const SESSION_ID = /^[0-9a-f-]{36}$/
/** What the `initialize` request contains is kept for as long as the session. */
const MAX_INITIALIZE_CHARS = 100_000
const UNKNOWN = 'Unknown session. Send initialize to open a new one.'
const UNAVAILABLE = 'Sessions cannot be read or stored at the moment. Try again later.'

export function createLegacySessions(
  factory: McpServerFactory,
  {
    maxBody,
    streams = createStreamEvents(undefined),
    maxSessions = 1_000,
    idleMs = 3_600_000,
    now = Date.now,
    shared,
  }: LegacySessionsOptions,
): LegacySessions {
  // In the order of their last use, the oldest first.
  const sessions = createBoundedMap<string, Session>(maxSessions, {
    sizeOf: ({ size }) => size,
    ownerOf: ({ owner }) => owner.person.id,
    isBusy: ({ server }) => hasCallInFlight(server),
    onDropped: ({ transport }) => void transport.close(),
  })
  const opening = new Map<string, Promise<Session | undefined>>()
  const records = shared && createSessionRecords(shared.state, { idleMs, onEvent, onGap })
  shared?.replicas.handle('answer', async ({ session, person, message }) => {
    const found = sessions.get(String(session))
    const isFound = found?.owner.person.id === person
    if (isFound) found?.transport.onmessage?.(message as never)
    return { isFound }
  })

  function touch(id: string, session: Session): void {
    session.lastUse = now()
    sessions.set(id, session)
    if (!records || session.lastUse - session.touchedAt < idleMs / 20) return
    session.touchedAt = session.lastUse
    void records.touch(id, recordOf(session)).catch(() => {
      session.touchedAt = 0
    })
  }

  function sessionOf(id: string, caller: Caller): Session | undefined {
    const session = sessions.get(id)
    return session?.isCertain && isSameCaller(session.owner, caller) ? session : undefined
  }

  function closeIdle(): void {
    for (const [id, { server, transport, lastUse }] of sessions.entries()) {
      if (now() - lastUse < idleMs) return
      if (hasCallInFlight(server)) continue
      sessions.delete(id)
      void transport.close()
    }
  }

  /** Creates the SDK's server and transport. The session is not open until `initialize` was handled. */
  async function create(
    id: string,
    initialize: JsonObject,
    authInfo: AuthInfo | undefined,
  ): Promise<Session> {
    const made = await factory({ era: 'legacy', ...(authInfo && { authInfo }) })
    const server = made instanceof McpServer ? made.server : made
    const owner = callerOf(authInfo)
    const transport = sessionTransport({
      id,
      maxBody,
      eventStore: streams.ofSession(id, owner.person.id),
      replica: shared?.replicas.id,
      async onDeleted() {
        sessions.delete(id)
        await records?.remove(id)
        await records?.announce({ kind: 'closed', session: id })
      },
    })
    await made.connect(transport)
    const size = sessionSize(initialize)
    const state = { lastUse: 0, touchedAt: now(), isCertain: true }
    return { owner, initialize: records && initialize, size, server, transport, ...state }
  }

  /** Lets other replicas see what the connection remembers. */
  function shareMemory(id: string, { server }: Session): void {
    if (!records) return
    memoryOf(server).shared = {
      load: async () => rememberedIn(await records.read(id)),
      async save(change) {
        const record = await records.change(id, (before) => ({ ...before, ...change(before) }))
        void records.announce({ kind: 'changed', session: id })
        return rememberedIn(record)
      },
    }
  }

  /** Opens a session that another replica knows, once for all requests that need it. */
  function openKnown(
    id: string,
    caller: Caller,
    authInfo: AuthInfo | undefined,
  ): Promise<Session | undefined> {
    // A request of another person, or for another profile, must not get the result of this one.
    const key = JSON.stringify([id, caller.person.id, caller.profile])
    const known = opening.get(key)
    if (known) return known
    const opened = readKnown(id, caller, authInfo).finally(() => opening.delete(key))
    opening.set(key, opened)
    return opened
  }

  async function readKnown(
    id: string,
    caller: Caller,
    authInfo: AuthInfo | undefined,
  ): Promise<Session | undefined> {
    const record = await records?.read(id)
    const local = sessions.get(id)
    if (!record) {
      sessions.delete(id)
      await local?.transport.close()
      return undefined
    }
    if (!isOwner(record, caller)) return undefined
    const remembered = rememberedIn(record)!
    if (local) {
      local.isCertain = true
      memoryOf(local.server).replace(remembered)
      return local
    }
    closeIdle()
    const session = await create(id, record.initialize, authInfo)
    const { server, transport } = session
    memoryOf(server).replace(remembered)
    await replayInitialize(transport, record.initialize, { id, authInfo })
    shareMemory(id, session)
    touch(id, session)
    // The client may have deleted it before it was open here, when `onEvent` did not know it.
    const isDeleted = (await records?.read(id)) === undefined || sessions.get(id) !== session
    if (!isDeleted) return session
    sessions.delete(id)
    await transport.close()
    return undefined
  }

  function onEvent(event: SessionEvent): void {
    const session = sessions.get(event.session)
    if (!session) return
    const { server, transport } = session
    switch (event.kind) {
      case 'closed':
        sessions.delete(event.session)
        void transport.close()
        return
      case 'changed':
        void memoryOf(server).refresh()
        return
      case 'stream':
        // The client has left this replica, which may not have noticed yet.
        transport.closeStandaloneSSEStream()
        return
      case 'cancelled':
        cancelHere(session, event.params)
    }
  }

  function cancelHere({ server, transport }: Session, params: JsonObject): void {
    if (shared?.cancelCall(server, params.requestId)) return
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }

  function onGap(isLost: boolean): void {
    for (const [id, session] of sessions.entries()) {
      session.isCertain = false
      if (isLost) void records?.touch(id, recordOf(session)).catch(() => {})
    }
  }

  /** What is left of a body after other replicas got what they wait for. */
  function bodyFor(id: string, { owner }: Session, body: unknown): unknown {
    if (!shared || body === undefined) return body
    return passOnAnswers(body, {
      replicas: shared.replicas,
      session: id,
      person: owner.person.id,
      onCancelled: (params) => void records?.announce({ kind: 'cancelled', session: id, params }),
    })
  }

  return {
    async open(request, given) {
      closeIdle()
      const { authInfo } = given
      const initialize = given.parsedBody as JsonObject
      if (JSON.stringify(initialize).length > MAX_INITIALIZE_CHARS) {
        return failure(413, -32_600, 'The initialize request is too large.')
      }
      const id = randomUUID()
      const session = await create(id, initialize, authInfo)
      const { transport } = session
      const response = await transport.handleRequest(request, given)
      // Nobody would ever close a session that was rejected, for example because of its headers.
      if (transport.sessionId === undefined) {
        await transport.close()
        return response
      }
      try {
        await records?.create(id, recordOf(session))
      } catch (error) {
        await transport.close()
        return failed(error)
      }
      shareMemory(id, session)
      touch(id, session)
      return response
    },
    async resume(id, request, given = {}) {
      const { authInfo } = given
      const caller = callerOf(authInfo)
      let session = sessionOf(id, caller)
      try {
        if (!session && records && SESSION_ID.test(id)) {
          session = await openKnown(id, caller, authInfo)
        }
        if (!session) return failure(404, -32_001, UNKNOWN)
        touch(id, session)
        const parsedBody = bodyFor(id, session, given.parsedBody)
        if (parsedBody === undefined && given.parsedBody !== undefined) {
          return new Response(null, { status: 202 })
        }
        const { transport } = session
        const response = await transport.handleRequest(request, { ...given, parsedBody })
        // A response stream that is continued leaves the stream of notifications where it is.
        const lastEventId = request.headers.get('last-event-id')
        if (request.method !== 'GET' || !response.ok) return response
        if (lastEventId !== null) return withFirstEvent(response, lastEventId, RETRY_MS)
        void records?.announce({ kind: 'stream', session: id })
        return response
      } catch (error) {
        return failed(error)
      }
    },
    find(id, caller) {
      const session = sessionOf(id, caller)
      if (session) touch(id, session)
      return session?.server
    },
    async close() {
      records?.close()
      const open = [...sessions.entries()]
      for (const [id] of open) sessions.delete(id)
      await Promise.all(open.map(([, { transport }]) => transport.close()))
    },
  }
}

function recordOf({ owner, initialize = {}, server }: Session): SessionRecord {
  const { person, profile } = owner
  return { ...memoryOf(server).values, person: person.id, profile, initialize }
}

function rememberedIn(record: SessionRecord | undefined): Remembered | undefined {
  if (!record) return undefined
  const { found, level, subscriptions } = record
  return { found, subscriptions, ...(level !== undefined && { level }) }
}

function failed(error: unknown): Response {
  if (isStateUnavailable(error)) return failure(503, -32_000, UNAVAILABLE)
  throw error
}

function failure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
