import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type McpServerFactory,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf } from '../../identity/caller.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import { MODERN_VERSION } from '../../protocol/versions.ts'
import type { CheckMessage } from '../http/check-message.ts'
import { parseMessage } from '../http/read-message.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import { withTrace } from '../request-trace.ts'
import { canBeAsked, type ReadCall, readCall } from './read-call.ts'
import type { CallHandlers, Shortcut } from './shortcut-calls.ts'

/** How to reach the SDK, and what to check before. */
export interface HttpShortcutOptions {
  readonly maxBody: number
  readonly checkMessage: CheckMessage
  /** The SDK's server for a session, if the session exists and the caller has opened it. */
  readonly findSession: (id: string, caller: Caller) => Server | undefined
  /** Handles a request whose body has not been read. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Handles a message that has passed the check.
   *
   * @param factory creates the server for this request. @default the usual factory
   */
  readonly handleMessage: (post: Post, factory?: McpServerFactory) => void
  /** Sends the response to a message that has not passed the check. */
  readonly respond: (post: Post, response: Response) => void
}

/** A request whose sender is known. */
type AuthenticatedRequest = IncomingMessage & { readonly auth?: Parameters<typeof callerOf>[0] }

/** A posted message. */
interface Post {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: unknown
}

// The SDK sends keep-alive comments while a call takes long.
const PASS_ON_AFTER_MS = 5_000
const JSON_TYPE = /^application\/json\s*(;|$)/i

/** Answers plain calls over HTTP. Every other request goes to the SDK. */
export function createHttpShortcut(
  servers: GatewayServerFactory,
  options: HttpShortcutOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { maxBody, checkMessage, findSession, handle, handleMessage, respond } = options

  return (request, response) => {
    const shortcut = servers.shortcut()
    const id = request.headers['mcp-session-id']
    const caller = callerOf((request as AuthenticatedRequest).auth)
    const session = typeof id === 'string' ? findSession(id, caller) : undefined
    // A modern client names the method in a header; a legacy client calls tools in a session.
    const mayBeCall =
      id === undefined ? request.headers['mcp-method'] === 'tools/call' : session !== undefined
    if (!shortcut || !mayBeCall || !isShortJson(request, maxBody)) {
      handle(request, response)
      return
    }
    const receive = (text: string) => {
      const parsed = parseMessage(text)
      const { body } = parsed
      const post = { request, response, body }
      const header = (name: string) => (request.headers[name.toLowerCase()] as string) ?? null
      const rejection = parsed.rejection ?? checkMessage(body, header, caller)
      if (rejection) respond(post, rejection)
      else if (
        session
          ? !answerInSession(post, { session, caller }, shortcut)
          : !answerRequest(post, caller, shortcut)
      )
        handleMessage(post)
    }
    // The body arrives in events, outside of the context in which this function was called.
    readText(request, (text) => withTrace(request.headers, () => receive(text)))
  }

  /** Returns false for everything but plain calls and their cancellations. */
  function answerInSession(
    post: Post,
    { session, caller }: { readonly session: Server; readonly caller: Caller },
    shortcut: Shortcut,
  ): boolean {
    const { request, body } = post
    const calls = shortcut.callsOf(session)
    const capabilities = session.getClientCapabilities()
    if (capabilities === undefined || canBeAsked(capabilities) || !isSupportedVersion(request)) {
      return false
    }
    const { method, params } = (body ?? {}) as JsonObject
    if (method === 'notifications/cancelled') {
      const isCancelled = calls.cancel((params as JsonObject | undefined)?.requestId)
      if (isCancelled) post.response.writeHead(202).end()
      return isCancelled
    }
    const call = readCall(body)
    if (call?.era !== 'legacy' || !acceptsBoth(request)) return false
    const headers = { 'mcp-session-id': String(session.transport?.sessionId) }
    // A legacy client that disconnects may reconnect, so that does not cancel the call.
    return calls.start(call, {
      ...handlers(post, headers, () => handleMessage(post)),
      caller,
    })
  }

  /** Returns false for everything but plain calls: the SDK rejects missing or mismatched headers. */
  function answerRequest(post: Post, caller: Caller, shortcut: Shortcut): boolean {
    const { request, response, body } = post
    const call = readCall(body)
    if (call?.era !== 'modern' || !acceptsBoth(request) || !hasMatchingHeaders(request, call)) {
      return false
    }
    const { calls, factory } = shortcut.forRequest(caller)
    response.once('close', () => calls.cancel(call.id))
    return calls.start(
      call,
      handlers(post, {}, () => handleMessage(post, factory)),
    )
  }
}

function handlers(
  { response }: Post,
  headers: Record<string, string>,
  passOn: () => void,
): CallHandlers {
  return {
    answer(message) {
      const body = Buffer.from(JSON.stringify(message))
      const type = { 'content-type': 'application/json', 'content-length': body.length }
      response.writeHead(200, { ...type, ...headers }).end(body)
    },
    passOn,
    drop() {
      if (!response.headersSent) response.writeHead(202).end()
    },
    passOnAfterMs: PASS_ON_AFTER_MS,
  }
}

function isShortJson({ method, headers }: IncomingMessage, maxBytes: number): boolean {
  return (
    method === 'POST' &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) <= maxBytes
  )
}

/** Never calls back if the request is aborted: then nobody waits for a response. */
function readText(request: IncomingMessage, callback: (text: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => callback(Buffer.concat(chunks).toString()))
  request.on('error', () => {})
}

function acceptsBoth({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream')
}

function isSupportedVersion({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version']
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
}

function hasMatchingHeaders({ headers }: IncomingMessage, { params }: ReadCall): boolean {
  return (
    headers['mcp-protocol-version'] === MODERN_VERSION &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === params.name &&
    // The SDK decodes names that look encoded.
    !params.name.startsWith('=?')
  )
}
