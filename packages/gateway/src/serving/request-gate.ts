import type { ToolAnnotations } from 'toolsearch'
import type { Caller } from '../identity/caller.ts'
import type { JsonObject } from '../protocol/json-object.ts'

/** A request of an agent, as plain data, for telemetry, audit and limits. */
export interface AgentRequest {
  readonly caller: Caller
  /** The MCP method, such as `tools/call`. */
  readonly method: string
  readonly params: JsonObject
  /**
   * What the request is for, by the names of the server: the inner tool of `call_tool`. Undefined if
   * there is no such thing, or if the caller may not know it, so that limits reveal nothing hidden.
   */
  readonly target?: RequestTarget | undefined
  /** Looks for the target, if servers may have to be asked. */
  readonly findTarget?: (() => Promise<RequestTarget | undefined>) | undefined
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
  /** The client program, as it names itself. */
  readonly client?: string | undefined
  /** The session of an older client. */
  readonly session?: string | undefined
  /** The script that the request runs, or that makes it. */
  readonly script?: { readonly id: string; readonly isInner: boolean } | undefined
  /** Whether it is part of a call that has passed the gates: one of several skills that the call reads. */
  readonly isPart?: boolean | undefined
  /** Trace context that came with the request (`traceparent`, `tracestate`). */
  readonly trace?: Readonly<Record<string, string>> | undefined
}

/** What is known about a request once it has been answered. */
export interface RequestOutcome {
  /** `denied`: by the rules. `limited`: by a rate limit. `failed`: an error, or a result with `isError`. */
  readonly outcome: 'ok' | 'failed' | 'denied' | 'limited' | 'cancelled'
  /** Which rule decided, for administrators. */
  readonly reason?: string | undefined
  /** What the request was for, by the names of the server: also if it was denied. */
  readonly target?: RequestTarget | undefined
  /** What searches of the request found. */
  readonly searches?: readonly { readonly query: string; readonly hits: readonly string[] }[]
  /** How many requests servers got for it, if that is more than one. */
  readonly sent?: number
  readonly milliseconds: number
  readonly resultBytes: number
  readonly error?: string | undefined
}

export interface RequestTarget {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'skill' | 'meta'
  readonly server?: string
  readonly name: string
  /** Of a tool, for limits by effect. */
  readonly annotations?: ToolAnnotations | undefined
}

/**
 * Surrounds the requests of agents: telemetry, then audit, then limits. Pass the joined gates to
 * `mcpServer` as `gate`. Each gate calls `next` once, or refuses the request by throwing a
 * `RefusedError` without calling it. `next` rejects with the refusal of an inner gate and with nothing
 * else: every other failure is an answer with `error`.
 *
 * A tool call passes the gates once, whichever path it takes and however often the server asks the
 * client something meanwhile.
 */
export type RequestGate = (
  request: AgentRequest,
  next: () => Promise<GatedAnswer>,
) => Promise<GatedAnswer>

/** An answer on its way back to the agent, with what the gates need to know about it. */
export interface GatedAnswer {
  /** Empty if there is an error. */
  readonly result: JsonObject
  /** Sent to the agent as an error response instead of the result. */
  readonly error?: unknown
  readonly outcome: Omit<RequestOutcome, 'milliseconds'>
  /** Resolves when servers have ended what was cancelled. Undefined if they have. */
  readonly ends?: Promise<unknown> | undefined
}
