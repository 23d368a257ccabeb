import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
const MIN_COMPRESSED_BYTES = 1_000

interface Encoded {
  readonly plain: Uint8Array<ArrayBuffer>
  zipped?: Promise<Uint8Array<ArrayBuffer>>
}

/** Encodings by object: a report that did not change is the same object, and may be large. */
const encodings = new WeakMap<object, Encoded>()

/** A JSON response, gzipped if it is large enough and the client accepts gzip. */
export async function jsonResponse(
  request: Request,
  data: object,
  { status = 200 }: { status?: number } = {},
): Promise<Response> {
  const encoded = encodings.get(data) ?? { plain: new TextEncoder().encode(JSON.stringify(data)) }
  encodings.set(data, encoded)
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  })
  if (encoded.plain.length < MIN_COMPRESSED_BYTES || !acceptsGzip(request)) {
    return new Response(encoded.plain, { status, headers })
  }
  headers.set('content-encoding', 'gzip')
  encoded.zipped ??= compress(encoded.plain).then((bytes) => new Uint8Array(bytes))
  return new Response(await encoded.zipped, { status, headers })
}

/** Whether the request's `Accept-Encoding` allows gzip. */
export function acceptsGzip({ headers }: Request): boolean {
  const accepted = (headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return accepted.some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const isRejected = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    return (name === 'gzip' || name === '*') && !isRejected
  })
}
