import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { FetchLike } from '@modelcontextprotocol/client'
import { beginningOf } from '../protocol/beginning-of.ts'
import { addressReach, REACH } from './address-reach.ts'
import { type FindAddresses, fetchWithinReach } from './fetch-within-reach.ts'
import type { RemoteServer } from './remote-server.ts'

export interface OAuthFetchOptions {
  readonly cancel?: AbortSignal | undefined
  /** @default dns.lookup */
  readonly find?: FindAddresses
}

const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 5
/** Of an answer. The largest ones are lists of keys. */
const MAX_BYTES = 1_000_000

/**
 * The `fetch` for OAuth requests. The server chooses the authorization server, which may be on any host:
 *
 * - The configured headers are sent only to the server's own origin.
 * - A server on the internet cannot send requests into the network of the gateway, and one in that network cannot
 *   send them to this machine. The configured `issuer` may be anywhere.
 */
export function oauthFetch(
  { url, headers, oauth }: Pick<RemoteServer, 'url' | 'headers' | 'oauth'>,
  { cancel, find = lookup }: OAuthFetchOptions = {},
): FetchLike {
  const { origin, hostname } = new URL(url)
  const trusted = [origin, ...(oauth?.issuer ? [new URL(oauth.issuer).origin] : [])]
  let found: Promise<number> | undefined

  async function send(to: URL, init: RequestInit | undefined, hops: number): Promise<Response> {
    const all = new Headers(to.origin === origin ? { ...headers } : {})
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value)
    const signals = [AbortSignal.timeout(TIMEOUT_MS), cancel, init?.signal].filter((each) => !!each)
    const asked = {
      ...init,
      headers: all,
      signal: AbortSignal.any(signals),
      redirect: 'manual',
    } as const
    found ??= reachOf(hostname, find)
    const response = trusted.includes(to.origin)
      ? await fetch(to, asked)
      : await fetchWithinReach(to, asked, { reach: await found, find })
    const location = response.headers.get('location')
    const isRedirect = response.status >= 300 && response.status < 400 && location && hops > 0
    const next = isRedirect && redirected(response, { from: to, to: new URL(location, to), init })
    if (!next) return beginningOf(response, MAX_BYTES)
    await response.body?.cancel()
    return send(next.to, next.init, hops - 1)
  }

  return (to, init) => send(new URL(to), init, MAX_REDIRECTS)
}

/** The request after a redirect, as `fetch` makes it. Undefined if the redirect is not followed. */
function redirected(
  { status }: Response,
  { from, to, init }: { from: URL; to: URL; init: RequestInit | undefined },
): { to: URL; init: RequestInit } | undefined {
  const headers = new Headers(init?.headers)
  if (to.origin !== from.origin)
    for (const name of ['authorization', 'cookie']) headers.delete(name)
  const isRead = init?.method === undefined || ['GET', 'HEAD'].includes(init.method)
  if (isRead || ((status === 307 || status === 308) && to.origin === from.origin)) {
    return { to, init: { ...init, headers } }
  }
  // What was posted to one host, such as a code, is not for another.
  return undefined
}

/** Of the address of a host that is the farthest away. The owner of a name decides which addresses it has. */
async function reachOf(hostname: string, find: FindAddresses): Promise<number> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocal = isIP(host) !== 0 || /(?:^|\.)localhost$/i.test(host)
  return new Promise((resolve) => {
    find(host, { all: true }, (_, addresses = []) => {
      const reaches = addresses.map(({ address }) => addressReach(address))
      const farthest = reaches.length === 0 ? REACH.everywhere : Math.min(...reaches)
      resolve(isLocal ? farthest : Math.min(farthest, REACH.network))
    })
  })
}
