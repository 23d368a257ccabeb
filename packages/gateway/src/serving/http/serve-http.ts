import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  createMcpHandler,
  isInitializeRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { type AnswerPost, shortcutCalls } from '../shortcut/shortcut-calls.ts'
import { type GuardedServerOptions, guardedServer } from './guarded-server.ts'
import { createJudge } from './judge-message.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import { readMessage } from './read-message.ts'

export interface ServeHttpOptions extends GuardedServerOptions {
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
  { answerPost, schemaOf = () => undefined, ...options }: ServeHttpOptions = {},
): Promise<HttpService> {
  const { maxBody = 4_000_000 } = options
  const handler = createMcpHandler(factory, { maxRequestBodySize: maxBody })
  const judge = createJudge(schemaOf)
  const sessions = createLegacySessions(factory, { maxBody })
  const toSdk = toNodeHandler({ fetch: route }, { maxRequestBodySize: maxBody })
  const serve = answerPost ? shortcutCalls(answerPost, { judge, toSdk, sessions, maxBody }) : toSdk

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

  const server = await guardedServer(new Map([[PATH, serve]]), options)
  return {
    url: `${server.origin}${PATH}`,
    notify: handler.notify,
    close: async () => {
      await Promise.all([handler.close(), sessions.close()])
      await server.close()
    },
  }
}
