import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServerFactory, type Server } from '@modelcontextprotocol/server'
import type { JudgeMessage } from '../http/judge-message.ts'
import type { LegacySessions } from '../http/legacy-sessions.ts'
import { hasShortJson, readBody } from '../http/read-body.ts'

/** Answers a posted message whose sender was judged, or gives false: then the SDK gets it. */
export type AnswerPost = (post: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: unknown
  /** The server of the session that the request names. */
  readonly session: Server | undefined
  /** Gives the request to the SDK, now or later, with another server than the usual if one is given. */
  readonly passOn: (factory?: McpServerFactory) => void
}) => boolean

type Handler = ReturnType<typeof toNodeHandler>
type Request = Parameters<Handler>[0]

export interface ShortcutCallsOptions {
  readonly judge: JudgeMessage
  readonly toSdk: Handler
  readonly sessions: LegacySessions
  readonly maxBody: number
}

/** Lets calls of tools be answered without the SDK, which gets everything else. */
export function shortcutCalls(
  answerPost: AnswerPost,
  { judge, toSdk, sessions, maxBody }: ShortcutCallsOptions,
): (request: Request, response: ServerResponse) => void {
  return (request, response) => {
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.find(id) : undefined
    // in the newer protocol a header names the method, and in the older a call is in a session
    const mayBeCall =
      id === undefined ? request.headers['mcp-method'] === 'tools/call' : session !== undefined
    if (!mayBeCall || !hasShortJson(request as IncomingMessage, maxBody)) {
      void toSdk(request, response)
      return
    }
    readBody(request as IncomingMessage, (text) => {
      const body = parse(text)
      const passOn = (factory?: McpServerFactory) => {
        const handler = factory
          ? toNodeHandler(createMcpHandler(factory, { maxRequestBodySize: maxBody }))
          : toSdk
        void handler(request, response, body)
      }
      const header = (name: string) => (request.headers[name.toLowerCase()] as string) ?? null
      const post = { request: request as IncomingMessage, response, body, session, passOn }
      // what is refused is refused where everything is, on the way to the SDK
      if (judge(body, header) || !answerPost(post)) passOn()
    })
  }
}

/** Nothing for what is no JSON: the SDK then finds an empty body, which is none either. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
