import { UpstreamError, type UpstreamErrorCode } from '../protocol/upstream-error.ts'
import type { Upstream } from '../upstreams/upstream.ts'

const ASK = 'Ask the administrator of the gateway.'

/** What such a person reads instead of a reason. */
export const UNAVAILABLE: string = `It is not available. ${ASK}`

/** Failures whose messages can contain log output of the server, paths and commands. */
const TELLING: readonly UpstreamErrorCode[] = ['not-started', 'died', 'protocol', 'needs-sign-in']

/**
 * A server as somebody sees it who may use only parts of it: without log output and without the reasons
 * of failures, which can reveal what the other parts do. Error responses to requests stay as they are.
 */
export function discreetUpstream(upstream: Upstream): Upstream {
  const hush = (error: unknown): never => {
    if (!(error instanceof UpstreamError) || !TELLING.includes(error.code)) throw error
    const { code, server, undelivered, requestOnly } = error
    const message = `The server ${server} is not available. ${ASK}`
    throw new UpstreamError(code, server, message, { undelivered, requestOnly })
  }
  return Object.create(upstream, {
    status: {
      get(): Upstream['status'] {
        const { detail, ...status } = upstream.status
        return { ...status, logOutput: [], ...(detail !== undefined && { detail: UNAVAILABLE }) }
      },
    },
    request: {
      value: (...request: Parameters<Upstream['request']>) =>
        upstream.request(...request).catch(hush),
    },
    watchResource: { value: (uri: string) => upstream.watchResource(uri).catch(hush) },
  })
}
