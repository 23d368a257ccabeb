import type { IncomingMessage } from 'node:http'

const JSON_TYPE = /^application\/json\s*(;|$)/i

/** Whether a request posts JSON and says beforehand that it is not too long. */
export function hasShortJson({ method, headers }: IncomingMessage, maxBytes: number): boolean {
  return (
    method === 'POST' &&
    JSON_TYPE.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    Number(headers['content-length']) <= maxBytes
  )
}

/** Reads a body to its end. A request that breaks off is not told of: nobody waits for an answer. */
export function readBody(request: IncomingMessage, then: (text: string) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => then(Buffer.concat(chunks).toString()))
  request.on('error', () => {})
}
