import type { JsonObject } from './json-object.ts'
import type { Peer } from './peer.ts'
import { UpstreamError } from './upstream-error.ts'
import { type Era, LEGACY_VERSION, MODERN_VERSION } from './versions.ts'

const UNSUPPORTED_VERSION = -32022
const META = 'io.modelcontextprotocol'

/** What two sides agreed on when they met. */
export interface Session {
  readonly era: Era
  readonly protocolVersion: string
  readonly capabilities: JsonObject
  readonly instructions?: string
}

export interface NegotiateOptions {
  /** The server's name, for messages. */
  readonly server: string
  /** What it spoke the last time. */
  readonly era?: Era
  readonly client: { readonly name: string; readonly version: string }
  /** What we can do for a server of the older era. */
  readonly capabilities: JsonObject
  /**
   * How long a server may be silent on a question of the newer era before it is asked in the older
   * way as well; Infinity where silence says nothing.
   */
  readonly patienceMs: number
  readonly onVersion?: (version: string) => void
}

/**
 * Finds out which era a server speaks, on the one connection there is.
 *
 * `server/discover` goes first: servers of the older era answer it with an error at once, and those
 * that know both then speak the newer one. A server that says nothing gets `initialize` on top, which
 * then decides. A server that was `legacy` the last time is asked by `initialize` alone.
 */
export async function negotiate(peer: Peer, options: NegotiateOptions): Promise<Session> {
  const envelope = {
    [`${META}/protocolVersion`]: MODERN_VERSION,
    [`${META}/clientInfo`]: options.client,
    // in this era what we can do depends on who makes the request, and is told with it
    [`${META}/clientCapabilities`]: {},
  }
  const modern = (session: Session) => {
    peer.envelop(envelope)
    options.onVersion?.(session.protocolVersion)
    return session
  }
  if (options.era !== 'legacy') {
    const session = await Promise.race([discover(peer, envelope), silence(options.patienceMs)])
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
    // who refuses the version and names it as supported in one breath means that we ask again
    if (!isRetry && supportsModern(error)) return discover(peer, envelope, true)
    return undefined
  }
}

function supportsModern({ answer }: UpstreamError): boolean {
  const { supported } = (answer?.data ?? {}) as { supported?: unknown }
  const isRefusal = answer?.code === UNSUPPORTED_VERSION
  return isRefusal && Array.isArray(supported) && supported.includes(MODERN_VERSION)
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
      `${server} answered "initialize" without a protocol version. See that it is an MCP server.`,
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

function silence(ms: number): Promise<undefined> {
  if (ms === Number.POSITIVE_INFINITY) return new Promise(() => {})
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}
