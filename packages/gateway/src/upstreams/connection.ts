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
  readonly maxMessageBytes?: number
  readonly auth?: TransportAuth
}

/** One life of a connection, from its first byte to its end. */
export interface Connection {
  /** Settles when both sides have met; rejects with UpstreamError. */
  readonly met: Promise<Session>
  readonly lastWords: readonly string[]
  readonly strayLines: number
  readonly pid: number | undefined
  request(method: string, params: JsonObject, options?: PeerRequestOptions): Promise<JsonObject>
  /** Never rejects. */
  close(): Promise<void>
}

/** Starts a connection at once. It tells by `onLost` that it ended, unless it was closed by us. */
export function createConnection(options: ConnectionOptions): Connection {
  const { config, era, client, capabilities } = options
  const server = config.name
  let opened: OpenTransport | undefined
  let peer: Peer | undefined
  let closed = false
  let hasMet = false

  async function meet(): Promise<Session> {
    opened = await openTransport(config.connection, {
      maxLineBytes: options.maxMessageBytes,
      auth: options.auth,
    })
    const { transport, process, patienceMs, mayBeModern } = opened
    if (closed) throw new UpstreamError('closed', server, `${server} was closed.`)
    const talking = createPeer({
      server,
      transport,
      toUpstreamError: (error, inSession) => transportFailure(server, error, inSession),
      onRequest: options.onRequest,
      onNotification: options.onNotification,
      onLost(error) {
        if (!closed && hasMet) options.onLost(error)
      },
      exitReason: () => process?.ending,
    })
    peer = talking
    if (process) process.onskipped = talking.rejectTooLarge
    try {
      await transport.start()
    } catch (error) {
      const failure = transportFailure(server, error)
      throw failure.code === 'died'
        ? new UpstreamError('not-started', server, failure.message)
        : failure
    }
    if (opened.brittle) transport.onerror = (error) => talking.lose(transportFailure(server, error))
    const known = mayBeModern ? era : 'legacy'
    try {
      const session = await negotiate(talking, {
        server,
        client,
        capabilities,
        patienceMs,
        ...(known && { era: known }),
        onVersion: (version) => transport.setProtocolVersion?.(version),
      })
      hasMet = true
      return session
    } catch (error) {
      if (!process?.ending) throw error
      const message = `${server} ${process.ending} while it was starting. Run its command by hand to see why.`
      throw new UpstreamError('died', server, message, { cause: error })
    }
  }

  const met = meet()
  return {
    met,
    get lastWords() {
      return opened?.process?.lastWords ?? []
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
      peer?.end()
      await Promise.all([met.catch(() => {}), opened?.transport.close().catch(() => {})])
      // it may have been opened in the meantime
      await opened?.transport.close().catch(() => {})
    },
  }
}
