import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { isTooDeep, TOO_DEEP } from '../../protocol/is-too-deep.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import { createLineSplitter } from '../../protocol/line-splitter.ts'
import { createLineWriter } from '../../protocol/line-writer.ts'
import type { Era } from '../../protocol/versions.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import type { ConnectionCalls } from './connection-calls.ts'
import { mayBeAsked, readCall } from './read-call.ts'

export interface StdioDownstreamOptions {
  readonly input?: Readable
  readonly output?: Writable
  /** The longest message taken. @default 64 MB */
  readonly maxLineBytes?: number
}

/** Both for the SDK's `serveStdio`. */
export interface StdioDownstream {
  readonly factory: McpServerFactory
  readonly transport: Transport
}

/**
 * The pipe to the one client.
 *
 * The SDK opens the connection and answers everything but plain calls of tools. Those are answered
 * here as soon as the SDK and the client have agreed on an era: the SDK would parse and check each
 * four times over, and a gateway only passes them on.
 */
export function createStdioDownstream(
  servers: GatewayServerFactory,
  {
    input = process.stdin,
    output = process.stdout,
    maxLineBytes = 64 * 1024 * 1024,
  }: StdioDownstreamOptions = {},
): StdioDownstream {
  const write = createLineWriter(output)
  /** Of the server that was made last: one that was only asked what it can do may be replaced. */
  let calls: ConnectionCalls | undefined
  /** The request by which the era is decided, if the SDK has a result for it. */
  let opening: { id: unknown; era: Era } | undefined
  let agreed: Era | 'left to the SDK' | undefined
  let closed = false

  const splitter = createLineSplitter({
    maxBytes: maxLineBytes,
    onLine: receive,
    onSkipped: (_, __, bytes) =>
      transport.onerror?.(new Error(`A message of ${bytes} bytes was skipped.`)),
  })

  function receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      // as the SDK does: a line that is no JSON is not for us
      return
    }
    if (isTooDeep(message)) {
      refuse(message as JsonObject)
      return
    }
    const passOn = () => toSdk(message)
    const call = agreed === undefined ? undefined : readCall(message)
    if (call && call.era === agreed && calls?.start(call, { answer: send, passOn })) return
    if (isCancelled(message)) return
    if (!agreed && !opening) watchOpening(message)
    passOn()
  }

  function refuse({ id, method }: JsonObject): void {
    if (id === undefined) return
    const failure = { jsonrpc: '2.0', id, error: TOO_DEEP }
    // who waits for an answer of the client is not left waiting
    if (method === undefined) toSdk(failure)
    else send(failure)
  }

  function toSdk(message: unknown): void {
    try {
      transport.onmessage?.(parseJSONRPCMessage(message))
    } catch (error) {
      transport.onerror?.(error as Error)
    }
  }

  function isCancelled(message: unknown): boolean {
    const { method, params } = (message ?? {}) as JsonObject
    if (method !== 'notifications/cancelled') return false
    return calls?.cancel((params as JsonObject | undefined)?.requestId) ?? false
  }

  function watchOpening(message: unknown): void {
    const { id, method, params } = (message ?? {}) as JsonObject & { params?: JsonObject }
    const claims = PROTOCOL_VERSION_META_KEY in ((params?._meta as object | undefined) ?? {})
    // a question before the opening, which decides nothing
    if (method === 'server/discover') return
    const isUsual = id !== undefined && claims === (method !== 'initialize')
    if (isUsual && !mayBeAsked(params?.capabilities)) {
      opening = { id, era: claims ? 'modern' : 'legacy' }
    } else agreed = 'left to the SDK'
  }

  function send(message: JsonObject): void {
    if (!closed) write(JSON.stringify(message))
  }

  function close(): void {
    if (closed) return
    closed = true
    input.off('data', onData).off('end', close).off('close', close)
    input.pause()
    transport.onclose?.()
  }

  function onData(chunk: Buffer): void {
    splitter.push(chunk)
  }

  const transport: Transport = {
    async start() {
      // it may have ended before we came to read it
      if (input.readableEnded || input.destroyed) setImmediate(close)
      input.on('data', onData).once('end', close).once('close', close)
      input.on('error', (error) => transport.onerror?.(error))
      // a client that has gone away reads no more
      output.on('error', close)
    },
    async send(message: JSONRPCMessage) {
      if (closed) throw new Error('The client has gone away.')
      if (opening && 'id' in message && message.id === opening.id && !('method' in message)) {
        agreed = 'result' in message ? opening.era : 'left to the SDK'
        opening = undefined
      }
      send(message as unknown as JsonObject)
    },
    async close() {
      close()
    },
  }
  return {
    transport,
    factory(context) {
      const server = servers(context)
      calls = servers.callsOf(server)
      return server
    },
  }
}
