import type { IncomingHttpHeaders } from 'node:http'

/** The token of a request that comes with a proof (RFC 9449), if it has one that is not empty. */
export function dpopToken({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^dpop +(.+)$/i.exec(authorization)?.[1]?.trim() || undefined
}

/** The bearer token of a request, if it has one that is not empty. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^bearer +(.+)$/i.exec(authorization)?.[1]?.trim() || undefined
}
