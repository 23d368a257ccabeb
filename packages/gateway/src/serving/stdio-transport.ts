import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server'
import { MAX_MESSAGE_BYTES } from '../protocol/bounded-parts.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { createLineSplitter } from '../protocol/line-splitter.ts'
import { createLineWriter } from '../protocol/line-writer.ts'
import { requestProblem } from '../protocol/request-problem.ts'

export interface StdioTransportOptions {
  readonly input?: Readable
  readonly output?: Writable
  /** Longer messages are skipped. @default 16 MB */
  readonly maxLineBytes?: number
  readonly interceptor?: Interceptor
}

/** Sees the messages between the client and the SDK. */
export interface Interceptor {
  /**
   * Returns true if the SDK must not receive a client's message, because the interceptor answers it
   * with `send` or passes it on later with `passOn`, possibly changed.
   */
  intercept(
    message: unknown,
    to: { send: (message: JsonObject) => void; passOn: (changed?: unknown) => void },
  ): boolean
  /** Returns a message of the SDK as it is sent to the client. */
  sending(message: JSONRPCMessage): JSONRPCMessage
  /** Called when the client has disconnected. */
  closed?(): void
}

/** The SDK's end of the pipe to the client. Limits the length and the depth of messages. */
export function createStdioTransport({
  input = process.stdin,
  output = process.stdout,
  maxLineBytes = MAX_MESSAGE_BYTES,
  interceptor,
}: StdioTransportOptions = {}): Transport {
  const write = createLineWriter(output)
  let closed = false

  const splitter = createLineSplitter({
    maxBytes: maxLineBytes,
    onLine: receive,
    onSkipped: (_, __, bytes) =>
      transport.onerror?.(new Error(`Skipped a message of ${bytes} bytes: it is too long.`)),
  })

  function receive(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      // The SDK ignores lines that are not JSON as well.
      return
    }
    const problem = requestProblem(message)
    if (problem) reject(message as JsonObject, problem)
    else {
      const passOn = (changed = message) => toSdk(changed)
      if (!interceptor?.intercept(message, { send, passOn })) passOn()
    }
  }

  function reject({ id, method }: JsonObject, error: JsonObject): void {
    if (id === undefined) return
    const response = { jsonrpc: '2.0', id, error }
    // A response is replaced by an error, so that the request does not stay open forever.
    if (method === undefined) toSdk(response)
    else send(response)
  }

  function toSdk(message: unknown): void {
    try {
      transport.onmessage?.(parseJSONRPCMessage(message))
    } catch (error) {
      transport.onerror?.(error as Error)
    }
  }

  function send(message: JsonObject): void {
    if (!closed) write(JSON.stringify(message))
  }

  function close(): void {
    if (closed) return
    closed = true
    input.off('data', onData).off('end', close).off('close', close)
    input.pause()
    interceptor?.closed?.()
    transport.onclose?.()
  }

  function onData(chunk: Buffer): void {
    splitter.push(chunk)
  }

  const transport: Transport = {
    async start() {
      // The input may have ended before the transport was started.
      if (input.readableEnded || input.destroyed) setImmediate(close)
      input.on('data', onData).once('end', close).once('close', close)
      input.on('error', (error) => transport.onerror?.(error))
      // Writing fails once the client has disconnected.
      output.on('error', close)
    },
    async send(message) {
      if (closed) throw new Error('The client has disconnected.')
      send((interceptor?.sending(message) ?? message) as unknown as JsonObject)
    },
    async close() {
      close()
    },
  }
  return transport
}
