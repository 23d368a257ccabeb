import type { ServerConfig } from '../config/gateway-config.ts'
import { createPeer } from '../protocol/create-peer.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { negotiate, type Session } from '../protocol/negotiate.ts'
import type { Peer, PeerOptions, PeerRequestOptions } from '../protocol/peer.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { type OpenTransport, openTransport, type TransportAuth } from './open-transport.ts'
import { transportFailure } from './transport-failure.ts'

export interface ConnectionOptions
  extends Pick<PeerOptions, 'onRequest' | 'onNotification' | 'onLost'> {
  readonly config: ServerConfig
  readonly era?: Era
  readonly client: { readonly name: string; readonly version: string }
  readonly capabilities: JsonObject
  readonly discoverMs?: number
  readonly maxMessageBytes?: number
  readonly auth?: TransportAuth
  /** Removes secrets from a line of the log. */
  readonly maskLog?: (line: string) => string
}

/** A single connection to a server. It is never reopened. */
export interface Connection {
  /** Resolves when the handshake is done; rejects with UpstreamError. */
  readonly session: Promise<Session>
  /** The last lines that the server's process wrote to stderr. */
  readonly logOutput: readonly string[]
  /** The number of lines on stdout that were not messages. */
  readonly strayLines: number
  readonly pid: number | undefined
  request(method: string, params: JsonObject, options?: PeerRequestOptions): Promise<JsonObject>
  /** Never rejects. */
  close(): Promise<void>
}

/** Opens a connection. Calls `onLost` if it breaks after the handshake, but not on `close`. */
export function createConnection(options: ConnectionOptions): Connection {
  const { config, era, client, capabilities } = options
  const server = config.name
  let opened: OpenTransport | undefined
  let peer: Peer | undefined
  let closed = false
  let isEstablished = false
  let abandon: (error: UpstreamError) => void = () => {}
  const abandoned = new Promise<never>((_, reject) => {
    abandon = reject
  })
  abandoned.catch(() => {})

  async function establish(): Promise<Session> {
    opened = await openTransport(config.connection, {
      discoverMs: options.discoverMs,
      maxMessageBytes: options.maxMessageBytes,
      onTooLarge: (id, bytes) => peer?.rejectTooLarge(id, bytes),
      auth: options.auth,
      maskLog: options.maskLog,
    })
    const { transport, process, discoverTimeoutMs, mayBeModern } = opened
    if (closed) throw new UpstreamError('closed', server, `${server} was closed.`)
    const currentPeer = createPeer({
      server,
      transport,
      toUpstreamError: (error, inSession) => transportFailure(server, error, inSession),
      onRequest: options.onRequest,
      onNotification: options.onNotification,
      onLost(error) {
        if (!closed && isEstablished) options.onLost(error)
      },
      exitReason: () => process?.exitReason,
    })
    peer = currentPeer
    if (process) process.onskipped = currentPeer.rejectTooLarge
    try {
      // The SSE transport's `start` stays pending forever if it is closed before the server answers.
      await Promise.race([transport.start(), abandoned])
    } catch (error) {
      const failure = transportFailure(server, error)
      throw failure.code === 'died'
        ? new UpstreamError('not-started', server, failure.message)
        : failure
    }
    if (opened.breaksOnError) {
      transport.onerror = (error) => currentPeer.lose(transportFailure(server, error))
    }
    const knownEra = mayBeModern ? era : 'legacy'
    try {
      const session = await negotiate(currentPeer, {
        server,
        client,
        capabilities,
        discoverTimeoutMs,
        ...(knownEra && { era: knownEra }),
        onVersion: (version) => transport.setProtocolVersion?.(version),
      })
      isEstablished = true
      return session
    } catch (error) {
      if (!process?.exitReason) throw error
      const message = `${server} ${process.exitReason} during startup. Run its command in a terminal to see why.`
      throw new UpstreamError('died', server, message, { cause: error })
    }
  }

  const session = establish()
  return {
    session,
    get logOutput() {
      return opened?.process?.logOutput ?? []
    },
    get strayLines() {
      return opened?.process?.strayLines ?? 0
    },
    get pid() {
      return opened?.process?.pid
    },
    request(method, params, call) {
      if (!peer)
        return Promise.reject(
          new UpstreamError('not-started', server, `${server} is not connected.`),
        )
      return peer.request(method, params, call)
    },
    async close() {
      closed = true
      abandon(new UpstreamError('closed', server, `${server} was closed.`))
      peer?.end()
      await Promise.all([session.catch(() => {}), opened?.transport.close().catch(() => {})])
      // the transport may have opened in the meantime
      await opened?.transport.close().catch(() => {})
    },
  }
}
