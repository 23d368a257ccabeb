import type { AuthProvider, FetchLike, Transport } from '@modelcontextprotocol/client'
import type { ServerConnection } from '../config/gateway-config.ts'
import { MAX_MESSAGE_BYTES } from '../protocol/bounded-parts.ts'
import { withFirstEvent } from '../protocol/with-first-event.ts'
import { limitedFetch } from './limited-fetch.ts'
import { createStdioTransport, type StdioTransport } from './process/stdio-transport.ts'

export interface OpenTransport {
  readonly transport: Transport
  /** The process behind the transport, if there is one. */
  readonly process?: StdioTransport
  /** Whether an error outside of a request means that the connection is lost. */
  readonly breaksOnError: boolean
  /** Whether the server may speak the modern protocol. */
  readonly mayBeModern: boolean
  /** How long to wait for an answer to `server/discover` before also sending `initialize`. */
  readonly discoverTimeoutMs: number
}

/** Authorizes HTTP requests without ever waiting for a person. */
export interface TransportAuth extends AuthProvider {
  /** Authorizes what a `fetch` sends. */
  authorized(fetch: FetchLike): FetchLike
}

export interface OpenTransportOptions {
  /**
   * How long to wait for a local server to answer `server/discover` before also sending `initialize`. A
   * package that `npx` has to download first takes longer.
   * @default 2_000
   */
  readonly discoverMs?: number | undefined
  /** The maximum size of a message. @default 16 MB */
  readonly maxMessageBytes?: number | undefined
  /** Called for an HTTP message that is too large. `id` is that of the request, if it was found. */
  readonly onTooLarge?: (id: number | undefined, bytes: number) => void
  readonly auth?: TransportAuth | undefined
  /** Removes secrets from a line of the log. */
  readonly maskLog?: ((line: string) => string) | undefined
}

/** Creates the transport for a connection without starting it. */
export async function openTransport(
  connection: ServerConnection,
  options: OpenTransportOptions = {},
): Promise<OpenTransport> {
  const { discoverMs = 2_000, maxMessageBytes = MAX_MESSAGE_BYTES, auth, maskLog } = options
  if (connection.kind === 'stdio') {
    const transport = createStdioTransport({
      ...connection,
      maxLineBytes: maxMessageBytes,
      ...(maskLog && { maskLog }),
    })
    return {
      transport,
      process: transport,
      breaksOnError: false,
      mayBeModern: true,
      discoverTimeoutMs: discoverMs,
    }
  }
  // load the SDK only when needed: it is half a megabyte of code
  const sdk = await import('@modelcontextprotocol/client')
  const url = new URL(connection.url)
  const limited = limitedFetch({
    maxBytes: maxMessageBytes,
    onTooLarge: (id, bytes) => options.onTooLarge?.(id, bytes),
  })
  const settings = {
    requestInit: { headers: { ...connection.headers } },
    ...(auth && { authProvider: auth }),
    fetch: continuing(auth?.authorized(limited) ?? limited),
  }
  if (connection.kind === 'sse') {
    const transport = new sdk.SSEClientTransport(url, settings)
    return { transport, breaksOnError: true, mayBeModern: false, discoverTimeoutMs: 0 }
  }
  const transport = new sdk.StreamableHTTPClientTransport(url, settings)
  return {
    transport,
    breaksOnError: false,
    mayBeModern: true,
    discoverTimeoutMs: Number.POSITIVE_INFINITY,
  }
}

/** Lets the SDK continue the stream of a call as often as it breaks, instead of once. */
function continuing(send: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await send(url, init)
    const lastEventId = new Headers(init?.headers).get('last-event-id')
    return lastEventId === null ? response : withFirstEvent(response, lastEventId)
  }
}
