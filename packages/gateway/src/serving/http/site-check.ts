import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/node'

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Checks the Host and Origin headers of requests to a loopback address. Returns false after it has
 * rejected a request.
 *
 * @param url the public address of the gateway, if it has one: a proxy on this machine may forward it
 */
export function siteCheck(
  url: string | undefined,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const names = url === undefined ? LOCAL_NAMES : [...LOCAL_NAMES, new URL(url).hostname]
  const isAllowedHost = hostHeaderValidation(names)
  const isAllowedOrigin = originValidation(names)
  return (request, response) =>
    isAllowedHost(request, response) && isAllowedOrigin(request, response)
}

/**
 * Whether a request that may change something comes from a page of the gateway. Browsers send the origin
 * of the page; other clients send none and are allowed.
 *
 * @param asked the address of the request
 * @param url the public address of the gateway: proxies often replace the Host header
 */
export function isSameOrigin(
  { method, headers: { origin } }: IncomingMessage,
  asked: URL,
  url: string | undefined,
): boolean {
  if (method === 'GET' || method === 'HEAD' || origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const site = new URL(origin)
  return site.host === asked.host || (url !== undefined && site.origin === new URL(url).origin)
}
