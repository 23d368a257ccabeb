import type { IncomingMessage } from 'node:http'
import type { JsonObject } from './json-object.ts'
import type { RecordedRequest } from './recorded-request.ts'

/** Reads a request to its end. A body that is no JSON object is kept as text alone. */
export async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    text,
    body: parseObject(text),
  }
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}
