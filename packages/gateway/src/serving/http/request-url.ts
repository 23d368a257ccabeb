import type { IncomingMessage } from 'node:http'

/** A name or an address, and perhaps a port. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * The address that a request is for: what guards decide by, and what handlers answer. Undefined if a proxy in front of
 * the gateway could have read another address, or another end of the body.
 */
export function requestUrl({ url = '', headers, httpVersion }: IncomingMessage): URL | undefined {
  const isOld = httpVersion === '1.0'
  const { 'transfer-encoding': coding } = headers
  if (coding !== undefined && (isOld || coding.toLowerCase() !== 'chunked')) return undefined
  // Health checks of load balancers send HTTP/1.0 without a host.
  const { host = isOld ? 'localhost' : '' } = headers
  if (!HOST.test(host) || url.startsWith('//') || url.includes('#')) return undefined
  const text = `http://${host}${url}`
  if (!URL.canParse(text)) return undefined
  const parsed = new URL(text)
  // Otherwise it has dot segments, backslashes or characters that only some readers accept.
  return parsed.pathname === url.split('?', 1)[0] ? parsed : undefined
}
