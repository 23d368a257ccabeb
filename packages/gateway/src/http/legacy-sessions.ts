import { randomUUID } from 'node:crypto'
import {
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

/** Sessions of clients up to 2025-11-25, which are how those can be asked and told things. */
export interface LegacySessions {
  /** Opens a session with an `initialize` request that was read already. */
  open(request: Request, body: unknown): Promise<Response>
  /** Answers a request that names a session. */
  resume(id: string, request: Request): Promise<Response>
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
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        maxRequestBodySize: maxBody,
        onsessioninitialized: (id) => touch(id, { transport, lastUse: 0 }),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      const server = await factory({ era: 'legacy' })
      await server.connect(transport)
      return transport.handleRequest(request, { parsedBody: body })
    },
    async resume(id, request) {
      const session = sessions.get(id)
      if (!session) {
        const error = { code: -32001, message: 'There is no such session any more. Initialize.' }
        return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
      }
      touch(id, session)
      return session.transport.handleRequest(request)
    },
    async close() {
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
      sessions.clear()
    },
  }
}
