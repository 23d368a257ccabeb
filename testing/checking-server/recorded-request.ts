import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from './json-object.ts'
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
