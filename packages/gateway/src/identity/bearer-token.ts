import type { IncomingHttpHeaders } from 'node:http'

/** The bearer token of a request, if it has one that is not empty. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^bearer +(.+)$/i.exec(authorization)?.[1]?.trim() || undefined
}
