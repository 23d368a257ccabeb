import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from './problem.ts'

/** A received request, and the problem if it was rejected. */
export interface RecordedRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  /** The raw body, for comparisons byte by byte. */
  text: string
  /** The parsed body; empty if it is not a JSON object. */
  body: JsonObject
  problem?: Problem
}

/** Any JSON object. */
export type JsonObject = Record<string, unknown>

/** Reads a complete request. */
export async function readRequest(request: Request): Promise<RecordedRequest> {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  return {
    method: request.method,
    path: `${pathname}${search}`,
    headers: Object.fromEntries(request.headers),
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
