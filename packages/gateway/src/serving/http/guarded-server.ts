import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { ToolSearchError } from 'toolsearch'
import { flushEventStreams } from './flush-event-streams.ts'
import type { Health } from './health.ts'
import { usableToken } from './usable-token.ts'

export interface GuardedServerOptions {
  /** @default '127.0.0.1' */
  host?: string
  /** @default 0: any free port */
  port?: number
  /**
   * Bearer token that every request needs, except for pages and health checks. Required unless the
   * host is loopback. An empty token counts as none.
   */
  token?: string | undefined
  /** Limit for request bodies, in bytes. @default 4_000_000 */
  maxBody?: number
  /** How long a client may take to send a request, in milliseconds. @default 30_000 */
  requestMs?: number
  /**
   * Handles requests outside of the gateway's own paths: pages, and their API under `/api`. Resolves
   * to undefined for unknown paths. Must not reject. @default every path is unknown
   */
  pages?: ((request: Request) => Promise<Response | undefined>) | undefined
  /** Answers health checks, which need no token. Undefined for every other path. */
  health?: (path: string) => Health | undefined
}

export interface GuardedServer {
  /** Without a path. */
  readonly origin: string
  close(): Promise<void>
}

/** Handles the requests for one path. Must not reject. */
export type Serve = (request: NodeRequest, response: ServerResponse) => unknown

type NodeRequest = IncomingMessage & { method: string; url: string }

/** The host is reachable from other machines, but no token is set. */
class MissingTokenError extends ToolSearchError {
  override readonly name = 'MissingTokenError'
  readonly code = 'missing_token'

  constructor(host: string, isEmpty: boolean) {
    super(
      isEmpty
        ? `TOOLSEARCH_TOKEN is set but empty. Other machines can reach ${host}, so a token is required. ` +
            'Set it to a long random value, or bind to 127.0.0.1.'
        : `Other machines can reach ${host}, so a token is required. ` +
            'Set TOOLSEARCH_TOKEN, or bind to 127.0.0.1.',
    )
  }
}

/**
 * An HTTP server that checks the token, and on loopback the Host and Origin headers. Pages need no
 * token because they contain no secrets.
 *
 * @param paths the gateway's own paths and their handlers
 * @throws MissingTokenError if the host is not loopback and there is no token
 */
export async function guardedServer(
  paths: ReadonlyMap<string, Serve>,
  options: GuardedServerOptions = {},
): Promise<GuardedServer> {
  const { host = '127.0.0.1', port = 0, maxBody = 4_000_000, requestMs = 30_000, pages } = options
  const token = usableToken(options.token)
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isLocal && token === undefined) {
    throw new MissingTokenError(host, options.token !== undefined)
  }
  const [path] = paths.keys()
  const hint = path === undefined ? '' : ` The gateway is at ${path}.`
  const notFound = () => Response.json({ error: `Not found.${hint}` }, { status: 404 })
  const servePages = toNodeHandler(
    { fetch: async (request) => (await pages?.(request)) ?? notFound() },
    { maxRequestBodySize: maxBody },
  )
  const isAllowedHost = localhostHostValidation()
  const isAllowedOrigin = localhostOriginValidation()

  const limits = {
    maxHeaderSize: 16_384,
    headersTimeout: Math.min(10_000, requestMs),
    requestTimeout: requestMs,
    // Node.js only looks for slow requests every 30 seconds by default.
    connectionsCheckingInterval: Math.min(5_000, requestMs),
  }
  const server = createServer(limits, (request, response) => {
    // Protects against DNS rebinding: a website must not reach a server on this machine.
    if (isLocal && (!isAllowedHost(request, response) || !isAllowedOrigin(request, response))) {
      return
    }
    flushEventStreams(response)
    const path = pathOf(request)
    const health =
      request.method === 'GET' || request.method === 'HEAD' ? options.health?.(path) : undefined
    if (health) {
      respond(response, health.status, health.body, { 'cache-control': 'no-store' })
      return
    }
    const serve = paths.get(path)
    const isPage = pages && !serve && path !== '/api' && !path.startsWith('/api/')
    if (token !== undefined && !isPage && !hasToken(request, token)) {
      reject(response, 401, 'A bearer token is required.', { 'www-authenticate': 'Bearer' })
    } else if (!serve && !isSameOrigin(request)) {
      reject(response, 403, 'Requests from other sites are not allowed.')
    } else void (serve ?? servePages)(request as NodeRequest, response)
  })
  // Agents often think for longer than Node's default of five seconds between two calls.
  server.keepAliveTimeout = 75_000

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const base = 'http://localhost'
  return URL.canParse(url, base) ? new URL(url, base).pathname : ''
}

/** Browsers send the origin of the page; other clients send none and are allowed. */
function isSameOrigin({ method, headers: { origin, host } }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const sent = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return sent !== undefined && isSameSecret(sent.trim(), token)
}

/** Takes the same time for every input, so that the time reveals nothing about the secret. */
function isSameSecret(sent: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(secret))
}

function reject(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  respond(response, status, { error: message }, headers)
}

function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
