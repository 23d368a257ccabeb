import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type McpServerFactory,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../../protocol/json-object.ts'
import { MODERN_VERSION } from '../../protocol/versions.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import type { StartedCall } from './connection-calls.ts'
import { mayBeAsked, type ReadCall, readCall } from './read-call.ts'

/** A posted message that may come in. */
export interface Post {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: unknown
  /** The server of the session that the request names. */
  readonly session: Server | undefined
  /** Gives the request to the SDK, now or later, with another server than the usual if one is given. */
  readonly passOn: (factory?: McpServerFactory) => void
}

// the SDK keeps a connection alive on which nothing is said for long
const SILENCE_MS = 5_000

/**
 * Answers posted calls of tools without the SDK, which would make a server for each of them. Takes
 * only what the SDK would take, and gives false for the rest: a header that is missing or does not
 * match is for the SDK to judge.
 */
export function answerPost(servers: GatewayServerFactory): (post: Post) => boolean {
  return (post) => (post.session ? answerInSession(post, post.session) : answerAlone(post))

  function answerInSession(post: Post, session: Server): boolean {
    const { request, body } = post
    const calls = servers.callsOf(session)
    const capabilities = session.getClientCapabilities()
    if (capabilities === undefined || mayBeAsked(capabilities) || !isRightVersion(request)) {
      return false
    }
    const { method, params } = (body ?? {}) as JsonObject
    if (method === 'notifications/cancelled') {
      const isOver = calls.cancel((params as JsonObject | undefined)?.requestId)
      if (isOver) post.response.writeHead(202).end()
      return isOver
    }
    const call = readCall(body)
    if (call?.era !== 'legacy' || !takesAll(request)) return false
    const headers = { 'mcp-session-id': String(session.transport?.sessionId) }
    // who goes away in the older era may come back: that is no cancellation
    return calls.start(
      call,
      outcome(post, headers, () => post.passOn()),
    )
  }

  function answerAlone(post: Post): boolean {
    const { request, response, body } = post
    const call = readCall(body)
    if (call?.era !== 'modern' || !takesAll(request) || !hasRightHeaders(request, call))
      return false
    const { calls, factory } = servers.single()
    response.once('close', () => calls.cancel(call.id))
    return calls.start(
      call,
      outcome(post, {}, () => post.passOn(factory)),
    )
  }
}

function outcome(
  { response }: Post,
  headers: Record<string, string>,
  passOn: () => void,
): StartedCall {
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
    patienceMs: SILENCE_MS,
  }
}

function takesAll({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream')
}

function isRightVersion({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version']
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))
}

function hasRightHeaders({ headers }: IncomingMessage, { params }: ReadCall): boolean {
  return (
    headers['mcp-protocol-version'] === MODERN_VERSION &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === params.name &&
    // what looks encoded is for the SDK to read
    !params.name.startsWith('=?')
  )
}
