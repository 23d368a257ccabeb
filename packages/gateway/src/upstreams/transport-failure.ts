import { signInHint } from '../config/sign-in-hint.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'

/** Errors of the network by which a server cannot have seen the request. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/**
 * What a transport that could not send or start means for the caller.
 *
 * Goes by fields and not by classes: the SDK is bundled twice, and `instanceof` fails across copies.
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
    const message = `${server} wants a sign-in that reaches further${scope}, run: ${signInHint(server)}`
    return new UpstreamError('needs-sign-in', server, message, { cause, narrow: true })
  }
  if (status === 401 || status === 403 || cause.name === 'UnauthorizedError') {
    const message = `${server} wants a sign-in (HTTP ${status ?? 401}), run: ${signInHint(server)} or put a valid token into the headers of its configuration.`
    return new UpstreamError('needs-sign-in', server, message, { cause })
  }
  // a server that was started anew does not know the session: the specification says 404, many say 400
  if (inSession && (status === 404 || status === 400)) {
    const message = `${server} does not know our session any more.`
    return new UpstreamError('died', server, message, { cause, unseen: true })
  }
  if (status !== undefined) {
    const answer = errorInBody(cause)
    const message = `${server} answered with HTTP ${status}${answer ? `: ${answer.message}` : ''}.`
    return new UpstreamError('refused', server, message, { cause, ...(answer && { answer }) })
  }
  if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') {
    const message = `The command of ${server} cannot be started (${cause.message}). Install it or write its full path, and see that "cwd" is a folder.`
    return new UpstreamError('not-started', server, message, { cause, unseen: true })
  }
  if (code !== undefined && UNREACHED.has(code)) {
    const message = `${server} cannot be reached (${code}). See that it runs and that its URL is right.`
    return new UpstreamError('died', server, message, { cause, unseen: true })
  }
  const message = `The connection to ${server} broke (${cause.message}).`
  return new UpstreamError('died', server, message, { cause })
}

function httpStatus(error: Error): number | undefined {
  const { data, code } = error as { data?: { status?: unknown }; code?: unknown }
  if (typeof data?.status === 'number') return data.status
  // the older transport keeps it here
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
