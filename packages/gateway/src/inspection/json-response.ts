import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'

const compress = promisify(gzip)
const WORTH_BYTES = 1_000

interface Encoded {
  readonly plain: Uint8Array<ArrayBuffer>
  zipped?: Promise<Uint8Array<ArrayBuffer>>
}

/** What was written once: a report that is given again is the same object, and may be long. */
const written = new WeakMap<object, Encoded>()

/** An answer as JSON, made small where that is worth it and understood. */
export async function jsonResponse(
  request: Request,
  data: object,
  { status = 200 }: { status?: number } = {},
): Promise<Response> {
  const encoded = written.get(data) ?? { plain: new TextEncoder().encode(JSON.stringify(data)) }
  written.set(data, encoded)
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  })
  if (encoded.plain.length < WORTH_BYTES || !acceptsGzip(request)) {
    return new Response(encoded.plain, { status, headers })
  }
  headers.set('content-encoding', 'gzip')
  encoded.zipped ??= compress(encoded.plain).then((bytes) => new Uint8Array(bytes))
  return new Response(await encoded.zipped, { status, headers })
}
