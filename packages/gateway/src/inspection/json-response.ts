import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'

const compress = promisify(gzip)
const WORTH_BYTES = 1_000

/** An answer as JSON, made small where that is worth it and understood. */
export async function jsonResponse(
  request: Request,
  data: unknown,
  { status = 200 }: { status?: number } = {},
): Promise<Response> {
  const bytes = Buffer.from(JSON.stringify(data))
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  })
  if (bytes.length < WORTH_BYTES || !acceptsGzip(request)) {
    return new Response(bytes, { status, headers })
  }
  headers.set('content-encoding', 'gzip')
  return new Response(await compress(bytes), { status, headers })
}
