import {
  type AuthInfo,
  type EventStore,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../../protocol/json-object.ts'
import { markReplayed } from '../replayed-requests.ts'
import { withReplica } from './replica-ids.ts'

export type SessionTransport = WebStandardStreamableHTTPServerTransport

export interface SessionTransportOptions {
  readonly id: string
  readonly maxBody: number
  /** Lets the client continue a response stream that broke. */
  readonly eventStore: EventStore
  /** Named in the ids of requests to the client. @default they are numbers */
  readonly replica?: string | undefined
  /** The client has deleted the session. */
  readonly onDeleted: () => Promise<void>
}

/** How long a client waits before it reconnects. */
export const RETRY_MS = 1_000

/** The SDK's transport for a session whose id is known. */
export function sessionTransport({
  id,
  maxBody,
  eventStore,
  replica,
  onDeleted,
}: SessionTransportOptions): SessionTransport {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    maxRequestBodySize: maxBody,
    eventStore,
    retryInterval: RETRY_MS,
    onsessionclosed: onDeleted,
  })
  if (replica === undefined) return transport
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    send(withReplica(message as unknown as JsonObject, replica) as never, options)
  return transport
}

/** Opens a session from the `initialize` request that the client has sent to another replica. */
export async function replayInitialize(
  transport: SessionTransport,
  initialize: JsonObject,
  { id, authInfo }: { readonly id: string; readonly authInfo: AuthInfo | undefined },
): Promise<void> {
  const auth = authInfo && { authInfo }
  const answered = await transport.handleRequest(post({}), { parsedBody: initialize, ...auth })
  await answered.text()
  const parsedBody = { jsonrpc: '2.0', method: 'notifications/initialized' }
  await transport.handleRequest(post({ 'mcp-session-id': id }), { parsedBody, ...auth })
}

function post(headers: Record<string, string>): Request {
  const accept = 'application/json, text/event-stream'
  return markReplayed(
    new Request('http://gateway/mcp', {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json', ...headers },
    }),
  )
}
