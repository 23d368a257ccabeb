import type { Mode } from './provider.ts'

/** What endpoints were found to refuse, for as long as the program runs. */
const lowered = new Map<string, string>()

export interface EndpointModes {
  /** The mode to use: the one chosen, or the best that the endpoint is not known to refuse. */
  current(): string
  /**
   * Learns from an error. Gives the mode to try next, or undefined if the error is about something
   * else or nothing is left to try.
   */
  lower(error: unknown): string | undefined
}

/** `endpoint` is whatever tells endpoints apart, such as a base URL and a model. */
export function endpointModes(
  modes: Readonly<Record<string, Mode>>,
  chosen: string,
  endpoint: string,
  isPossible: (mode: string) => boolean = () => true,
): EndpointModes {
  const key = `${endpoint} ${chosen}`
  const current = () => lowered.get(key) ?? chosen
  return {
    current,
    lower(error) {
      const { needs, next } = modes[current()]!
      if (next === undefined || !isPossible(next) || !isRefusal(error, needs)) return undefined
      lowered.set(key, next)
      return next
    },
  }
}

const REFUSES =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|not support|not permitted|not allowed|extra inputs|invalid|does not match|no such|instead|requires a model|cannot be used/i
/** Errors about what a request says rather than about what the endpoint can do. */
const OTHER =
  /not found in available tools|unknown tool\b|must be unique|requires? (?:tools\.tool_search|at least one deferred)|must have defer_loading|cannot have both|invalid schema for|tool_reference_unresolved|tool_name_conflict|limit_exceeded|too_many_tool_references/i
/** What services call any refusal, whatever it is about. */
const ANY_REFUSAL = /invalid_request_error/g

/** Whether an endpoint says that it does not know one of these fields. */
export function isRefusal(error: unknown, fields: readonly string[]): boolean {
  const status = (error as { status?: unknown } | null)?.status
  if (typeof status === 'number' && ![400, 404, 415, 422, 501].includes(status)) return false
  const text = textOf(error).replace(ANY_REFUSAL, '')
  return REFUSES.test(text) && !OTHER.test(text) && fields.some((field) => text.includes(field))
}

/** Clients put the service's words into the message, the body, or both. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const { message, error: body, responseBody } = error as Record<string, unknown>
  return [message, responseBody, body === undefined ? '' : JSON.stringify(body)]
    .filter((part) => typeof part === 'string')
    .join(' ')
}
