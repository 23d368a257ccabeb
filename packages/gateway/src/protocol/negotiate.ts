import type { JsonObject } from './json-object.ts'
import type { Peer } from './peer.ts'
import { UpstreamError } from './upstream-error.ts'
import { type Era, LEGACY_VERSION, MODERN_VERSION } from './versions.ts'

const UNSUPPORTED_VERSION = -32022
const META = 'io.modelcontextprotocol'

/** The result of the handshake with a server. */
export interface Session {
  readonly era: Era
  readonly protocolVersion: string
  readonly capabilities: JsonObject
  readonly instructions?: string
}

export interface NegotiateOptions {
  /** The server's name, for messages. */
  readonly server: string
  /** The era it used last time, if known. */
  readonly era?: Era
  readonly client: { readonly name: string; readonly version: string }
  /** The client capabilities to announce to a legacy server. */
  readonly capabilities: JsonObject
  /**
   * How long to wait for an answer to `server/discover` before also sending `initialize`. Infinity if
   * the transport always delivers an answer.
   */
  readonly discoverTimeoutMs: number
  readonly onVersion?: (version: string) => void
}

/**
 * Determines the protocol era of a server, on a single connection.
 *
 * Sends `server/discover` first: legacy servers reject it at once, and servers that support both eras
 * use the modern one. If the server rejects it or does not answer in time, sends `initialize`. A server
 * that was `legacy` last time receives `initialize` first.
 */
export async function negotiate(peer: Peer, options: NegotiateOptions): Promise<Session> {
  const envelope = {
    [`${META}/protocolVersion`]: MODERN_VERSION,
    [`${META}/clientInfo`]: options.client,
    // requests on behalf of a client override this with its capabilities
    [`${META}/clientCapabilities`]: {},
  }
  const modern = (session: Session) => {
    peer.setEnvelope(envelope)
    options.onVersion?.(session.protocolVersion)
    return session
  }
  if (options.era !== 'legacy') {
    const session = await Promise.race([
      discover(peer, envelope),
      timeout(options.discoverTimeoutMs),
    ])
    if (session) return modern(session)
  }
  try {
    return await initialize(peer, options)
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.code !== 'refused') throw error
    const session = await discover(peer, envelope)
    if (session) return modern(session)
    throw error
  }
}

async function discover(
  peer: Peer,
  envelope: JsonObject,
  isRetry = false,
): Promise<Session | undefined> {
  try {
    const found = await peer.request('server/discover', { _meta: envelope }, { own: true })
    const versions = found.supportedVersions
    if (!Array.isArray(versions) || !versions.includes(MODERN_VERSION)) return undefined
    return readSession('modern', MODERN_VERSION, found)
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.code !== 'refused') throw error
    // a server that rejects the version but lists it as supported expects a retry
    if (!isRetry && supportsModern(error)) return discover(peer, envelope, true)
    return undefined
  }
}

function supportsModern({ answer }: UpstreamError): boolean {
  const { supported } = (answer?.data ?? {}) as { supported?: unknown }
  const isUnsupported = answer?.code === UNSUPPORTED_VERSION
  return isUnsupported && Array.isArray(supported) && supported.includes(MODERN_VERSION)
}

async function initialize(
  peer: Peer,
  { server, client, capabilities, onVersion }: NegotiateOptions,
): Promise<Session> {
  const params = { protocolVersion: LEGACY_VERSION, capabilities, clientInfo: client }
  const found = await peer.request('initialize', params, { own: true })
  const version = found.protocolVersion
  if (typeof version !== 'string') {
    throw new UpstreamError(
      'protocol',
      server,
      `${server} answered "initialize" without a protocol version. Check that it is an MCP server.`,
    )
  }
  onVersion?.(version)
  await peer.notify('notifications/initialized')
  return readSession('legacy', version, found)
}

function readSession(era: Era, protocolVersion: string, found: JsonObject): Session {
  const { capabilities, instructions } = found
  const known = typeof capabilities === 'object' && capabilities !== null
  return {
    era,
    protocolVersion,
    capabilities: known ? (capabilities as JsonObject) : {},
    ...(typeof instructions === 'string' && { instructions }),
  }
}

function timeout(ms: number): Promise<undefined> {
  if (ms === Number.POSITIVE_INFINITY) return new Promise(() => {})
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
