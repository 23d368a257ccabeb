import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isInitializeRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { type AnswerPost, answerFirst } from './answer-first.ts'
import { isSameSecret } from './is-same-secret.ts'
import { createJudge } from './judge-message.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import { MissingTokenError } from './missing-token-error.ts'
import { readMessage } from './read-message.ts'

export interface ServeHttpOptions {
  /** @default '127.0.0.1' */
  host?: string
  /** @default 0, a free one */
  port?: number
  /** Asked of every request; needed for any address but loopback. */
  token?: string | undefined
  /** Bytes of a request's body. @default 4_000_000 */
  maxBody?: number
  /** Answers what it can of calls that are posted; gives false for what is left to the SDK. */
  answerPost?: AnswerPost
  /** The schema of a listed tool, for what its calls must say in headers. @default nothing is listed */
  schemaOf?: (tool: unknown) => unknown
}

export interface HttpService {
  readonly url: string
  /** Tells clients of the newer protocol that listen. */
  readonly notify: ServerNotifier
  close(): Promise<void>
}

const PATH = '/mcp'

/** @throws MissingTokenError when others could reach it without a token */
export async function serveHttp(
  factory: McpServerFactory,
  {
    host = '127.0.0.1',
    port = 0,
    token,
    maxBody = 4_000_000,
    answerPost,
    schemaOf = () => undefined,
  }: ServeHttpOptions = {},
): Promise<HttpService> {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isLocal && token === undefined) throw new MissingTokenError(host)
  const handler = createMcpHandler(factory, { maxRequestBodySize: maxBody })
  const judge = createJudge(schemaOf)
  const sessions = createLegacySessions(factory, { maxBody })
  const toSdk = toNodeHandler({ fetch: route }, { maxRequestBodySize: maxBody })
  const serve = answerPost ? answerFirst(answerPost, { judge, toSdk, sessions, maxBody }) : toSdk
  const isRightHost = localhostHostValidation()
  const isRightOrigin = localhostOriginValidation()

  const server = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    // a page in a browser must not reach what listens on this machine
    if (isLocal && (!isRightHost(request, response) || !isRightOrigin(request, response))) return
    if (token !== undefined && !hasToken(request, token)) {
      refuse(response, 401, 'A bearer token is needed.', { 'www-authenticate': 'Bearer' })
    } else if (new URL(request.url ?? '/', 'http://localhost').pathname !== PATH) {
      refuse(response, 404, `The gateway is at ${PATH}.`)
    } else void serve(request as IncomingMessage & { method: string; url: string }, response)
  })
  server.headersTimeout = 10_000
  // an agent thinks for longer than the usual five seconds between two calls
  server.keepAliveTimeout = 75_000

  /** Only the older protocol has sessions; whoever does without one is served request by request. */
  async function route(request: Request, given?: McpHandlerRequestOptions): Promise<Response> {
    const session = request.headers.get('mcp-session-id')
    if (request.method !== 'POST') {
      return session === null ? handler.fetch(request) : sessions.resume(session, request)
    }
    const read =
      given?.parsedBody === undefined
        ? await readMessage(request, maxBody)
        : { body: given.parsedBody }
    if ('refusal' in read) return read.refusal
    const { body } = read
    const refused = judge(body, (name) => request.headers.get(name))
    if (refused) return refused
    if (session !== null) return sessions.resume(session, request, body)
    if (isInitializeRequest(body)) return sessions.open(request, body)
    return handler.fetch(request, { parsedBody: body })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}${PATH}`,
    notify: handler.notify,
    close: async () => {
      await Promise.all([handler.close(), sessions.close()])
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
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
