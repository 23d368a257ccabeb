import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Problem } from './problem.ts'

/** A request as it came in, and how it was refused if it was. */
export interface RecordedRequest {
  method: string
  /** With its query. */
  path: string
  headers: IncomingHttpHeaders
  /** The body as it was sent, to compare byte by byte. */
  text: string
  /** The body parsed; empty when it was no JSON object. */
  body: JsonObject
  problem?: Problem
}

/** A JSON object of which nothing is known yet. */
export type JsonObject = Record<string, unknown>

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
