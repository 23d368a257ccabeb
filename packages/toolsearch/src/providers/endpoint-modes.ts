import type { Mode } from './provider.ts'

/** The modes that endpoints have been downgraded to, for the lifetime of the process. */
const downgraded = new Map<string, string>()

export interface EndpointModes {
  /** The mode to use: the chosen one, or the fallback if the endpoint has rejected it. */
  current(): string
  /**
   * Records the fallback mode if the error says that the endpoint does not support the current one.
   * Returns the mode to try next, or undefined if the error has a different cause or no fallback
   * is left.
   */
  downgrade(error: unknown): string | undefined
}

/** `endpoint` identifies an endpoint, for example by base URL and model. */
export function endpointModes(
  modes: Readonly<Record<string, Mode>>,
  chosen: string,
  endpoint: string,
  isSupported: (mode: string) => boolean = () => true,
): EndpointModes {
  const key = `${endpoint} ${chosen}`
  const current = () => downgraded.get(key) ?? chosen
  return {
    current,
    downgrade(error) {
      const { requires, fallback } = modes[current()]!
      if (fallback === undefined || !isSupported(fallback)) return undefined
      if (!isUnsupportedField(error, requires)) return undefined
      downgraded.set(key, fallback)
      return fallback
    },
  }
}

const REJECTION =
  /unknown|unexpected|unrecogni[sz]ed|unsupported|not support|not permitted|not allowed|extra inputs|invalid|does not match|no such|instead|requires a model|cannot be used/i
/** Errors about the content of a request rather than the capabilities of the endpoint. */
const CONTENT_ERROR =
  /not found in available tools|unknown tool\b|must be unique|requires? (?:tools\.tool_search|at least one deferred)|must have defer_loading|cannot have both|invalid schema for|tool_reference_unresolved|tool_name_conflict|limit_exceeded|too_many_tool_references/i
/** Services use this code for every rejected request, so it must not count as a rejection word. */
const GENERIC_CODE = /invalid_request_error/g

/** Whether an error says that the endpoint does not support one of these fields. */
function isUnsupportedField(error: unknown, fields: readonly string[]): boolean {
  const status = (error as { status?: unknown } | null)?.status
  // SGLang reports the errors of a chat template as 500.
  if (typeof status === 'number' && ![400, 404, 415, 422, 500, 501].includes(status)) return false
  const text = serviceErrorText(error).replace(GENERIC_CODE, '')
  return (
    REJECTION.test(text) &&
    !CONTENT_ERROR.test(text) &&
    fields.some((field) => text.includes(field))
  )
}

/** Clients put the service's message into the error's message, its body, or both. */
export function serviceErrorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const { message, error: body, responseBody } = error as Record<string, unknown>
  return [message, responseBody, body === undefined ? '' : JSON.stringify(body)]
    .filter((part) => typeof part === 'string')
    .join(' ')
}
