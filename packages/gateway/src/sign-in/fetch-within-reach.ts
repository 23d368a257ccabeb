import { type LookupOptions, lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { addressReach } from './address-reach.ts'

/** All addresses of a host, as `dns.lookup` finds them. */
export type FindAddresses = (
  host: string,
  options: LookupOptions & { readonly all: true },
  callback: (
    error: NodeJS.ErrnoException | null,
    addresses: { address: string; family: number }[],
  ) => void,
) => void

/**
 * Sends a request to an address that somebody else has chosen, unless the address is closer to this process than
 * `reach`. What is checked is the address of the connection, so that a name cannot resolve to another one after
 * the check. Does not follow redirects.
 *
 * @param reach that of the closest address that is permitted
 */
export async function fetchWithinReach(
  to: string | URL,
  init: RequestInit | undefined,
  { reach, find = lookup }: { readonly reach: number; readonly find?: FindAddresses | undefined },
): Promise<Response> {
  const asked = new Request(to, init)
  const { hostname, protocol, origin, href } = new URL(asked.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const tooClose = () =>
    new Error(`${origin} is an internal address, to which this server must not refer.`)
  // Nobody looks up a number.
  if (isIP(host) && addressReach(host) > reach) throw tooClose()
  const lookupWithin: LookupFunction = (name, options, callback) =>
    find(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) callback(error ?? new Error(`${name} has no address.`), '', 0)
      else if (addresses.some(({ address }) => addressReach(address) > reach))
        callback(tooClose(), '', 0)
      else if (options.all) callback(null, addresses as never)
      else callback(null, first.address, first.family)
    })
  const body = Buffer.from(await asked.arrayBuffer())
  const send = protocol === 'https:' ? httpsRequest : httpRequest
  const received = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' }
    const { method, signal } = asked
    // Without an agent, because connections of others were not checked.
    send(href, { method, headers, signal, lookup: lookupWithin, agent: false }, resolve)
      .once('error', reject)
      .end(body)
  })
  const { statusCode: status = 502, headers } = received
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  const isEmpty = status === 204 || status === 304
  if (isEmpty) received.resume()
  const content = isEmpty ? null : (Readable.toWeb(received) as ReadableStream<Uint8Array>)
  const response = new Response(content, { status, headers: fields })
  // The SDK compares it with the requested one.
  return Object.defineProperty(response, 'url', { value: href })
}
