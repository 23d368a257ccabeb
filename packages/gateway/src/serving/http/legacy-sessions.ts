import { randomUUID } from 'node:crypto'
import {
  type AuthInfo,
  McpServer,
  type McpServerFactory,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf, isSameCaller } from '../../identity/caller.ts'
import { hasCallInFlight } from '../calls-in-flight.ts'

/** Sessions of legacy clients. They let the gateway send requests and notifications to a client. */
export interface LegacySessions {
  /** Opens a session. `parsedBody` is the `initialize` request. */
  open(request: Request, given: GivenRequest): Promise<Response>
  /** Handles a request in a session, if the caller has opened it. */
  resume(id: string, request: Request, given?: GivenRequest): Promise<Response>
  /** The SDK's server for a session, if the session exists and the caller has opened it. */
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
  /**
   * If there are more, the one that has been idle longest is closed. Sessions with a call in flight
   * are closed only if there are twice as many. @default 1_000
   */
  readonly maxSessions?: number
  /** Sessions that have been idle for this long are closed. @default 1 hour */
  readonly idleMs?: number
  readonly now?: () => number
}

interface Session {
  /** Nobody else can use the session: knowing its id is not enough. */
  readonly owner: Caller
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  lastUse: number
}

export function createLegacySessions(
  factory: McpServerFactory,
  { maxBody, maxSessions = 1_000, idleMs = 3_600_000, now = Date.now }: LegacySessionsOptions,
): LegacySessions {
  // In the order of their last use, the oldest first.
  const sessions = new Map<string, Session>()

  function touch(id: string, session: Session): void {
    session.lastUse = now()
    sessions.delete(id)
    sessions.set(id, session)
  }

  function sessionOf(id: string, caller: Caller): Session | undefined {
    const session = sessions.get(id)
    return session && isSameCaller(session.owner, caller) ? session : undefined
  }

  function closeIdle(): void {
    for (const [id, { server, transport, lastUse }] of sessions) {
      if (sessions.size < maxSessions && now() - lastUse < idleMs) return
      if (hasCallInFlight(server) && sessions.size < 2 * maxSessions) continue
      sessions.delete(id)
      void transport.close()
    }
  }

  return {
    async open(request, given) {
      closeIdle()
      const { authInfo } = given
      const owner = callerOf(authInfo)
      const made = await factory({ era: 'legacy', ...(authInfo && { authInfo }) })
      const server = made instanceof McpServer ? made.server : made
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        maxRequestBodySize: maxBody,
        onsessioninitialized: (id) => touch(id, { owner, server, transport, lastUse: 0 }),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await made.connect(transport)
      const response = await transport.handleRequest(request, given)
      // Nobody would ever close a session that was rejected, for example because of its headers.
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    async resume(id, request, given = {}) {
      const session = sessionOf(id, callerOf(given.authInfo))
      if (!session) {
        const error = {
          code: -32001,
          message: 'Unknown session. Send initialize to open a new one.',
        }
        return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
      }
      touch(id, session)
      return session.transport.handleRequest(request, given)
    },
    find(id, caller) {
      const session = sessionOf(id, caller)
      if (session) touch(id, session)
      return session?.server
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
      sessions.clear()
    },
  }
}
