import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { isSameSecret } from './is-same-secret.ts'
import { MissingTokenError } from './missing-token-error.ts'

export interface GuardedServerOptions {
  /** @default '127.0.0.1' */
  host?: string
  /** @default 0, a free one */
  port?: number
  /** Asked of every request but those for a page; needed for any address but loopback. */
  token?: string | undefined
  /** Bytes of a request's body. @default 4_000_000 */
  maxBody?: number
  /**
   * Answers what is asked beside the gateway itself: pages, and what pages ask for under `/api`.
   * Nothing for what is not there. Must not reject. @default nothing is there
   */
  pages?: ((request: Request) => Promise<Response | undefined>) | undefined
}

export interface GuardedServer {
  /** Without a path. */
  readonly origin: string
  close(): Promise<void>
}

/** Answers whatever comes. Must not reject. */
export type Serve = (request: NodeRequest, response: ServerResponse) => unknown

type NodeRequest = IncomingMessage & { method: string; url: string }

/**
 * Listens, and lets in who may come in. A page needs no token, for there is no secret in it.
 *
 * @param paths where the gateway itself is, and what answers there
 * @throws MissingTokenError when others could reach it without a token
 */
export async function guardedServer(
  paths: ReadonlyMap<string, Serve>,
  { host = '127.0.0.1', port = 0, token, maxBody = 4_000_000, pages }: GuardedServerOptions = {},
): Promise<GuardedServer> {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isLocal && token === undefined) throw new MissingTokenError(host)
  const [path] = paths.keys()
  const missing = path === undefined ? 'There is nothing here.' : `The gateway is at ${path}.`
  const notThere = () => Response.json({ error: missing }, { status: 404 })
  const servePages = toNodeHandler(
    { fetch: async (request) => (await pages?.(request)) ?? notThere() },
    { maxRequestBodySize: maxBody },
  )
  const isRightHost = localhostHostValidation()
  const isRightOrigin = localhostOriginValidation()

  const server = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    // a page in a browser must not reach what listens on this machine
    if (isLocal && (!isRightHost(request, response) || !isRightOrigin(request, response))) return
    const path = pathOf(request)
    const serve = paths.get(path)
    const isPage = pages && !serve && path !== '/api' && !path.startsWith('/api/')
    if (token !== undefined && !isPage && !hasToken(request, token)) {
      refuse(response, 401, 'A bearer token is needed.', { 'www-authenticate': 'Bearer' })
    } else if (!serve && !isOfSameSite(request)) {
      refuse(response, 403, 'Only pages of this gateway may change something here.')
    } else void (serve ?? servePages)(request as NodeRequest, response)
  })
  server.headersTimeout = 10_000
  // an agent thinks for longer than the usual five seconds between two calls
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

/** A browser says which page asks; what is no browser may ask anything. */
function isOfSameSite({ method, headers: { origin, host } }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const [scheme = '', given = ''] = (request.headers.authorization ?? '').split(' ')
  return scheme.toLowerCase() === 'bearer' && isSameSecret(given, token)
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error: message }))
}
