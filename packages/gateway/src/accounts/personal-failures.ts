import { signInHint } from '../config/sign-in-hint.ts'
import { UpstreamError, type UpstreamErrorCode } from '../protocol/upstream-error.ts'
import type { Upstream } from '../upstreams/upstream.ts'

export interface PersonalFailuresOptions {
  readonly person: string
  /** The page where people connect their accounts. */
  readonly page: string
  /** Whether the person has entered values there, which can be wrong. */
  readonly hasValues: boolean
  /** Called with details for administrators. Must not throw. */
  readonly onProblem: (message: string) => void
}

/** Failures whose messages can contain commands, paths, settings and log output. */
const TELLING: readonly UpstreamErrorCode[] = ['not-started', 'died', 'protocol']

/**
 * A person's own server, with failures that say what this person can do. The details are for administrators,
 * because the person can change neither the command nor the settings of the server.
 */
export function withPersonalFailures(
  upstream: Upstream,
  { person, page, hasValues, onProblem }: PersonalFailuresOptions,
): Upstream {
  const { name } = upstream
  let reported: string | undefined

  /** What the person reads instead. Undefined if the message is meant for the person. */
  function replacement(
    reason: UpstreamErrorCode | Upstream['status']['state'],
    message: string,
  ): string | undefined {
    if (reason === 'needs-sign-in') {
      const isForPerson = !message.includes(signInHint(name))
      return isForPerson
        ? undefined
        : `${name} does not accept your credentials, or they lack a permission. Open ${page} and connect ${name} again.`
    }
    if (reason !== 'failed' && !TELLING.some((code) => code === reason)) return undefined
    const check = hasValues ? `Check what you entered at ${page}, or try again` : 'Try again'
    return `${name} could not be used. ${check} later. If the problem persists, ask the administrator of the gateway.`
  }

  const explain = (error: unknown): never => {
    if (!(error instanceof UpstreamError)) throw error
    const { code, server, message, undelivered, requestOnly } = error
    const replaced = replacement(code, message)
    if (replaced === undefined) throw error
    // The detail also has the latest log output.
    const { state, detail } = upstream.status
    const reason = state === 'failed' ? (detail ?? message) : message
    // A server that keeps failing would fill the log.
    if (reason !== reported) onProblem(`${name} failed for ${person}: ${reason}`)
    reported = reason
    throw new UpstreamError(code, server, replaced, { undelivered, requestOnly })
  }

  return Object.create(upstream, {
    status: {
      get(): Upstream['status'] {
        const { detail, ...status } = upstream.status
        const shown = detail && (replacement(status.state, detail) ?? detail)
        return { ...status, logOutput: [], ...(shown !== undefined && { detail: shown }) }
      },
    },
    request: {
      value: (...request: Parameters<Upstream['request']>) =>
        upstream.request(...request).catch(explain),
    },
    watchResource: { value: (uri: string) => upstream.watchResource(uri).catch(explain) },
  })
}
