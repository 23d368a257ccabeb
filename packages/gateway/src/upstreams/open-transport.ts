import type { AuthProvider, FetchLike, Transport } from '@modelcontextprotocol/client'
import type { ServerConnection } from '../config/gateway-config.ts'
import { createStdioTransport, type StdioTransport } from './process/stdio-transport.ts'

export interface OpenTransport {
  readonly transport: Transport
  /** The process behind it, if there is one. */
  readonly process?: StdioTransport
  /** It cannot go on after an error that is not that of a request. */
  readonly brittle: boolean
  /** Servers of the newer era can be behind it. */
  readonly mayBeModern: boolean
  /** How long silence may last before it means something. */
  readonly patienceMs: number
}

/** How requests over HTTP are signed in. Nothing in it waits for a person. */
export interface TransportAuth extends AuthProvider {
  readonly fetch: FetchLike
}

/** The transport that a connection asks for; not started yet. */
export async function openTransport(
  connection: ServerConnection,
  {
    maxLineBytes,
    auth,
  }: { maxLineBytes?: number | undefined; auth?: TransportAuth | undefined } = {},
): Promise<OpenTransport> {
  if (connection.kind === 'stdio') {
    const limit = maxLineBytes !== undefined && { maxLineBytes }
    const transport = createStdioTransport({ ...connection, ...limit })
    // a program that has to be fetched first takes longer than that, and loses nothing by it
    return { transport, process: transport, brittle: false, mayBeModern: true, patienceMs: 2_000 }
  }
  // loaded only where it is needed: it is half a megabyte of code
  const sdk = await import('@modelcontextprotocol/client')
  const url = new URL(connection.url)
  const options = {
    requestInit: { headers: { ...connection.headers } },
    ...(auth && { authProvider: auth, fetch: auth.fetch }),
  }
  if (connection.kind === 'sse') {
    const transport = new sdk.SSEClientTransport(url, options)
    return { transport, brittle: true, mayBeModern: false, patienceMs: 0 }
  }
  const transport = new sdk.StreamableHTTPClientTransport(url, options)
  return { transport, brittle: false, mayBeModern: true, patienceMs: Number.POSITIVE_INFINITY }
}
