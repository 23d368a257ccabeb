import { signInHint } from '../config/sign-in-hint.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'

/** Network errors after which the server cannot have received the request. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/**
 * Converts an error from a transport that could not start or send into one that says what to do.
 *
 * Checks fields instead of classes: the SDK is bundled twice, and `instanceof` fails across copies.
 */
export function transportFailure(server: string, error: unknown, inSession = false): UpstreamError {
  if (error instanceof UpstreamError) return error
  const cause = error instanceof Error ? error : new Error(String(error))
  const status = httpStatus(cause)
  const code = systemCode(cause)

  const { code: kind, requiredScope } = cause as { code?: unknown; requiredScope?: unknown }
  if (kind === 'needs-sign-in') {
    return new UpstreamError('needs-sign-in', server, cause.message, { cause })
  }
  if (cause.name === 'InsufficientScopeError') {
    const scope = requiredScope ? ` (scope ${JSON.stringify(requiredScope).slice(0, 200)})` : ''
    const message = `${server} requires additional permissions${scope}. Run: ${signInHint(server)}`
    return new UpstreamError('needs-sign-in', server, message, { cause, requestOnly: true })
  }
  if (status === 401 || status === 403 || cause.name === 'UnauthorizedError') {
    const message = `${server} requires a sign-in (HTTP ${status ?? 401}). Put a valid token into the headers of its configuration, or run: ${signInHint(server)}`
    return new UpstreamError('needs-sign-in', server, message, { cause })
  }
  // after a restart, a server does not recognize the session: the specification says 404, many send 400
  if (inSession && (status === 404 || status === 400)) {
    const message = `${server} no longer recognizes the session.`
    return new UpstreamError('died', server, message, { cause, undelivered: true })
  }
  if (status !== undefined) {
    const answer = errorInBody(cause)
    const message = `${server} responded with HTTP ${status}${answer ? `: ${JSON.stringify(answer.message)}` : ''}.`
    return new UpstreamError('refused', server, message, { cause, ...(answer && { answer }) })
  }
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') {
    const message = `The command of ${server} could not be started (${cause.message}). Install the program or use its full path, and check that "cwd" is an existing folder.`
    return new UpstreamError('not-started', server, message, { cause, undelivered: true })
  }
  if (code !== undefined && UNREACHED.has(code)) {
    const message = `${server} cannot be reached (${code}). Check that it is running and that its URL is correct.`
    return new UpstreamError('died', server, message, { cause, undelivered: true })
  }
  const message = `The connection to ${server} failed (${cause.message}).`
  return new UpstreamError('died', server, message, { cause })
}

function httpStatus(error: Error): number | undefined {
  const { data, code } = error as { data?: { status?: unknown }; code?: unknown }
  if (typeof data?.status === 'number') return data.status
  // the SSE transport puts it here
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
}

function systemCode(error: Error): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code, errors } = at as { code?: unknown; errors?: unknown[] }
    if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) return code
    at = at.cause ?? errors?.[0]
  }
  return /ECONNREFUSED/.exec(error.message)?.[0]
}

function errorInBody(error: Error): ErrorAnswer | undefined {
  const text = (error as { data?: { text?: unknown } }).data?.text
  if (typeof text !== 'string') return undefined
  try {
    const answer = JSON.parse(text)?.error
    return typeof answer?.code === 'number' && typeof answer.message === 'string'
      ? answer
      : undefined
  } catch {
    return undefined
  }
}
