import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { ToolSearchError } from 'toolsearch'
import { bearerToken } from '../../identity/bearer-token.ts'
import { type Caller, callerInfo, LOCAL_CALLER } from '../../identity/caller.ts'
import type {
  Authentication,
  Identity,
  Refusal,
  RefusedCredential,
} from '../../identity/identity.ts'
import { NOBODY, type Person } from '../../identity/person.ts'
import { noteOf } from '../../identity/request-note.ts'
import { isSameSecret } from '../../system/is-same-secret.ts'
import { withTrace } from '../request-trace.ts'
import { flushEventStreams } from './flush-event-streams.ts'
import type { Health } from './health.ts'
import { requestUrl } from './request-url.ts'
import { isSameOrigin, siteCheck } from './site-check.ts'
import { createSlowGuessing } from './slow-guessing.ts'
import { usableToken } from './usable-token.ts'
import { watchStream } from './watch-stream.ts'

export interface GuardedServerOptions {
  /** @default '127.0.0.1' */
  host?: string
  /** @default 0: any free port */
  port?: number
  /**
   * Bearer token that every request needs, except for pages and health checks. Required unless the
   * host is loopback or there is `identity`. An empty token counts as none.
   */
  token?: string | undefined
  /** Decides who sends a request. Excludes a token. @default everybody is the same person */
  identity?: Identity | undefined
  /**
   * How often the credentials of an open stream are checked again, in milliseconds. @default 15_000
   */
  recheckMs?: number
  /** Receives requests whose credentials are not accepted, and refused sign-ins. Must not throw. */
  onRefused?: ((refused: RefusedRequest) => void) | undefined
  /** Receives the sender of every request whose credentials are accepted. Must be quick, and not throw. */
  onAdmitted?: ((person: Person, path: string) => void) | undefined
  /**
   * Receives every request whose credentials are accepted, once its response has been sent or its client has gone,
   * unless a gate or the API has recorded it. Must not throw.
   */
  onUnrecorded?: ((unrecorded: UnrecordedRequest) => void) | undefined
  /** Limit for request bodies, in bytes. @default 4_000_000 */
  maxBody?: number
  /** How long a client may take to send a request, in milliseconds. @default 30_000 */
  requestMs?: number
  /**
   * Handles requests outside of the gateway's own paths: pages, and their API under `/api`. Resolves
   * to undefined for unknown paths. Must not reject. @default every path is unknown
   */
  pages?: ServePages | undefined
  /** Where requests for further paths of the gateway go, such as those of profiles. */
  route?: (path: string) => Route | undefined
  /** Answers health checks, which need no token. Undefined for every other path. */
  health?: (path: string) => Health | Promise<Health> | undefined
}

/** @param url the address of the request, by which its sender was admitted */
type ServePages = (request: Request, url: URL, caller: Caller) => Promise<Response | undefined>

/** A request whose credentials are not accepted. */
export interface RefusedRequest extends Partial<RefusedCredential> {
  readonly path: string
  readonly status: number
  readonly message: string
}

/** A request that nothing has recorded when it ends. */
export interface UnrecordedRequest {
  readonly caller: Caller
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly path: string
  /** Undefined if the client has gone before there was one. */
  readonly status: number | undefined
}

export interface GuardedServer {
  /** Without a path. */
  readonly origin: string
  close(): Promise<void>
}

/** Handles the requests for one path. Must not reject. */
export type Serve = (request: NodeRequest, response: ServerResponse) => unknown

/** `auth` is what `callerOf` reads. */
type NodeRequest = IncomingMessage & {
  method: string
  url: string
  auth?: ReturnType<typeof callerInfo>
}

/** Where requests for a path go, and which profile its address names. */
interface Route {
  readonly serve: Serve
  readonly profile?: string
}

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
            'Set TOOLSEARCH_TOKEN, let people sign in (toolsearch.identity), or bind to 127.0.0.1.',
    )
  }
}

/** Both a shared token and identity settings are present, so it is unclear who may do what. */
class TokenAndIdentityError extends ToolSearchError {
  override readonly name = 'TokenAndIdentityError'
  readonly code = 'token_and_identity'

  constructor() {
    super(
      'TOOLSEARCH_TOKEN is set, but people sign in to this gateway (toolsearch.identity). ' +
        'Unset TOOLSEARCH_TOKEN, and create an API key for each machine: toolsearch keys create.',
    )
  }
}

const MALFORMED: Refusal = {
  status: 400,
  message: 'The address or the framing of the request is malformed.',
  // What follows on the connection may be anything.
  headers: { connection: 'close' },
}
/** The handlers get a `Request`, which cannot have this method. */
const NO_TRACE = { error: 'The method TRACE is not supported.' }
const OTHER_SITE: Refusal = {
  status: 403,
  message: 'Requests from other sites are not allowed.',
  headers: {},
}
const TOKEN_REQUIRED: Refusal = {
  status: 401,
  message: 'A bearer token is required.',
  headers: { 'www-authenticate': 'Bearer' },
}

const TOO_MANY_GUESSES: Refusal = {
  status: 429,
  message: 'Too many requests with wrong credentials. Try again later.',
  headers: { 'retry-after': '2' },
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/**
 * An HTTP server that checks who sends a request, and on loopback the Host and Origin headers. Pages
 * need no credentials because they contain no secrets.
 *
 * @param paths the gateway's own paths and their handlers
 * @throws MissingTokenError if the host is not loopback and there is neither a token nor `identity`
 * @throws TokenAndIdentityError if there are both
 */
export async function guardedServer(
  paths: ReadonlyMap<string, Serve>,
  options: GuardedServerOptions = {},
): Promise<GuardedServer> {
  const { host = '127.0.0.1', port = 0, maxBody = 4_000_000, requestMs = 30_000 } = options
  const { pages, identity, recheckMs = 15_000 } = options
  const token = usableToken(options.token)
  const isLocal = LOOPBACK.includes(host)
  if (identity && token !== undefined) throw new TokenAndIdentityError()
  if (!isLocal && !identity && token === undefined) {
    throw new MissingTokenError(host, options.token !== undefined)
  }
  const [path] = paths.keys()
  const hint = path === undefined ? '' : ` The gateway is at ${path}.`
  const notFound = () => Response.json({ error: `Not found.${hint}` }, { status: 404 })
  const bodyLimit = { maxRequestBodySize: maxBody }
  const answerWith =
    (handle: (request: Request) => Promise<Response | undefined> | undefined): Serve =>
    (request, response) => {
      const fetch = async (asked: Request) => (await handle(asked)) ?? notFound()
      return toNodeHandler({ fetch }, bodyLimit)(request, response)
    }
  const isAllowedSite = siteCheck(identity?.url)
  const guessing = createSlowGuessing()

  const limits = {
    // Several Authorization or Host headers are one that is not valid, instead of the first one.
    joinDuplicateHeaders: true,
    maxHeaderSize: 16_384,
    headersTimeout: Math.min(10_000, requestMs),
    requestTimeout: requestMs,
    // Node.js only looks for slow requests every 30 seconds by default.
    connectionsCheckingInterval: Math.min(5_000, requestMs),
  }
  const server = createServer(limits, (request, response) => {
    const url = requestUrl(request)
    if (!url) reject(response, MALFORMED)
    else if (request.method === 'TRACE') respond(response, 405, NO_TRACE, {})
    else answer(request as NodeRequest, response, url)
  })

  function answer(request: NodeRequest, response: ServerResponse, url: URL): void {
    // Protects against DNS rebinding: a website must not reach a server on this machine.
    if (isLocal && !isAllowedSite(request, response)) return
    flushEventStreams(response)
    const { pathname: path } = url
    const health =
      request.method === 'GET' || request.method === 'HEAD' ? options.health?.(path) : undefined
    if (health) {
      void Promise.resolve(health).then(({ status, body }) =>
        respond(response, status, body, { 'cache-control': 'no-store' }),
      )
      return
    }
    const own = paths.get(path)
    const route: Route | undefined = own ? { serve: own } : options.route?.(path)
    if (!route && !isSameOrigin(request, url, identity?.url)) reject(response, OTHER_SITE)
    else if (!route && identity?.serves(path)) {
      const onRefused = (message: string, status: number) =>
        options.onRefused?.({ path, status, message })
      answerWith((asked) => identity.handle(asked, url, onRefused))(request, response)
    } else if (!route && isPage(path, pages)) void serveFor({ person: NOBODY })
    else if (identity) {
      const { headers, method } = request
      const authentication = identity.authenticate({ headers, path, method })
      if (authentication instanceof Promise) void authentication.then(admit)
      else admit(authentication)
      const again = () => identity.authenticate({ headers, path, method, isRepeated: true })
      watchStream(request, response, again, recheckMs)
    } else if (token !== undefined && !hasToken(request, token)) {
      admit({ refusal: TOKEN_REQUIRED })
    } else admit({ person: LOCAL_CALLER.person })

    function admit(authentication: Authentication): void {
      if ('refusal' in authentication) {
        const { status, message, credential } = authentication.refusal
        // Clients ask without credentials first, to learn where to sign in.
        if (request.headers.authorization !== undefined) {
          options.onRefused?.({ path, status, message, ...credential })
        }
        const { authorization } = request.headers
        const delay =
          status === 401 && authorization !== undefined
            ? guessing.delayFor(request.socket.remoteAddress ?? '', authorization)
            : 0
        if (delay === 'too-many') reject(response, TOO_MANY_GUESSES)
        else if (delay === 0) reject(response, authentication.refusal)
        else setTimeout(() => reject(response, authentication.refusal), delay).unref()
        return
      }
      const { person } = authentication
      if (identity) options.onAdmitted?.(person, path)
      const { profile } = route ?? {}
      const caller = { person, ...(profile !== undefined && { profile }) }
      const report = () => reportUnrecorded(caller)
      response.once('close', report)
      const served = serveFor(caller)
      // The client has gone while its credentials were checked.
      if (response.closed) void served.finally(report)
    }

    function reportUnrecorded(caller: Caller): void {
      if (noteOf(caller).isRecorded) return
      const { method, headers } = request
      const status = response.headersSent ? response.statusCode : undefined
      options.onUnrecorded?.({ caller, headers, method, path, status })
    }

    async function serveFor(caller: Caller): Promise<void> {
      request.auth = callerInfo(caller)
      const serve = route?.serve ?? answerWith((asked) => pages?.(asked, url, caller))
      await withTrace(request.headers, () => serve(request, response))
    }
  }
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

/** Pages contain no secrets. What they show comes from the API, which requires credentials. */
function isPage(path: string, pages: GuardedServerOptions['pages']): boolean {
  return pages !== undefined && path !== '/api' && !path.startsWith('/api/')
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const sent = bearerToken(headers)
  return sent !== undefined && isSameSecret(sent, token)
}

function reject(response: ServerResponse, { status, message, headers }: Refusal): void {
  respond(response, status, { error: message }, headers)
}

function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
