import { randomUUID } from 'node:crypto'
import {
  McpServer,
  type McpServerFactory,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** Sessions of clients up to 2025-11-25, which are how those can be asked and told things. */
export interface LegacySessions {
  /** Opens a session with an `initialize` request that was read already. */
  open(request: Request, body: unknown): Promise<Response>
  /** Answers a request that names a session; `body` if it was read already. */
  resume(id: string, request: Request, body?: unknown): Promise<Response>
  /** The server of a session, if there is that session. */
  find(id: string): Server | undefined
  close(): Promise<void>
}

export interface LegacySessionsOptions {
  /** Bytes of a request's body. */
  readonly maxBody: number
  /** The one that was quiet for longest has to go for a new one. @default 1_000 */
  readonly maxSessions?: number
  /** A session that was quiet for so long may be forgotten. @default an hour */
  readonly idleMs?: number
  readonly now?: () => number
}

interface Session {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  lastUse: number
}

export function createLegacySessions(
  factory: McpServerFactory,
  { maxBody, maxSessions = 1_000, idleMs = 3_600_000, now = Date.now }: LegacySessionsOptions,
): LegacySessions {
  // the one that was quiet for longest is first
  const sessions = new Map<string, Session>()

  function touch(id: string, session: Session): void {
    session.lastUse = now()
    sessions.delete(id)
    sessions.set(id, session)
  }

  function forgetQuiet(): void {
    for (const [id, { transport, lastUse }] of sessions) {
      if (sessions.size < maxSessions && now() - lastUse < idleMs) return
      sessions.delete(id)
      void transport.close()
    }
  }

  return {
    async open(request, body) {
      forgetQuiet()
      const made = await factory({ era: 'legacy' })
      const server = made instanceof McpServer ? made.server : made
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        maxRequestBodySize: maxBody,
        onsessioninitialized: (id) => touch(id, { server, transport, lastUse: 0 }),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await made.connect(transport)
      const response = await transport.handleRequest(request, { parsedBody: body })
      // one that was refused, for its headers perhaps, would be there for ever
      if (transport.sessionId === undefined) await transport.close()
      return response
    },
    async resume(id, request, body) {
      const session = sessions.get(id)
      if (!session) {
        const error = { code: -32001, message: 'There is no such session any more. Initialize.' }
        return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
      }
      touch(id, session)
      return session.transport.handleRequest(
        request,
        body === undefined ? {} : { parsedBody: body },
      )
    },
    find(id) {
      const session = sessions.get(id)
      if (session) touch(id, session)
      return session?.server
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
      sessions.clear()
    },
  }
}
