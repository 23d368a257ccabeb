import { ToolSearchError } from 'toolsearch'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOutcome } from './request-gate.ts'

export interface RefusalOptions {
  /** How the audit log counts the request. */
  readonly outcome: Extract<RequestOutcome['outcome'], 'denied' | 'limited' | 'failed'>
  /** Why, for administrators and the audit log. Agents never see it. */
  readonly reason: string
  /** When it is worth trying again. */
  readonly retryAfterMs?: number
}

/** A gate does not let a request pass. Its message is for the agent and names nothing hidden. */
export class RefusedError extends ToolSearchError {
  override readonly name = 'RefusedError'
  readonly code = 'request_refused'
  readonly outcome: RefusalOptions['outcome']
  readonly reason: string
  readonly retryAfterMs: number | undefined

  constructor(message: string, { outcome, reason, retryAfterMs }: RefusalOptions) {
    super(message)
    this.outcome = outcome
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/** Whether an error is a `RefusedError`. */
export function isRefusal(error: unknown): error is RefusedError {
  return error instanceof Error && (error as { code?: unknown }).code === 'request_refused'
}

/** The result of a `tools/call` that was refused: models read results, but not error responses. */
export function refusedResult({ message, retryAfterMs }: RefusedError): JsonObject {
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    ...(retryAfterMs !== undefined && { _meta: { retryAfterMs } }),
  }
}

/** In the range that JSON-RPC leaves to servers, and unused by MCP. */
const REFUSED = -32_029

/** The JSON-RPC error for every other method. */
export function refusedAnswer({ message, retryAfterMs }: RefusedError): {
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
} {
  return {
    code: REFUSED,
    message,
    ...(retryAfterMs !== undefined && { data: { retryAfterMs } }),
  }
}
