import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { Challenge, TokenSource } from './token-source.ts'

/** Authorizes the requests that the SDK's transports send to one server. */
export interface ServerAuth extends AuthProvider {
  /** Authorizes what a `fetch` sends to the server. */
  authorized(fetch: FetchLike): FetchLike
}

/** Authorizes requests with the current token, and renews it when the server rejects it. */
export function createServerAuth(source: TokenSource): ServerAuth {
  const sentTokens = new WeakMap<Response, string | undefined>()
  return {
    token: source.token,
    async onUnauthorized({ response }) {
      const { challenge } = await readChallenge(response)
      await source.renew(sentTokens.get(response), challenge)
    },
    authorized: (fetch) => async (url, init) => {
      const send = withProof(fetch)
      let response = await send(url, init)
      if (response.status !== 401 && response.status !== 403) return response
      let used = bearer(init)
      // the first retry uses a token that another process has stored, the second a new one
      for (let retry = 0; response.status === 403 && retry < 2; retry++) {
        const { error, challenge } = await readChallenge(response)
        if (error !== 'insufficient_scope' || !(await source.extendScope(used, challenge))) break
        used = await source.token()
        const headers = new Headers(init?.headers)
        headers.set('authorization', `Bearer ${used}`)
        await response.body?.cancel()
        response = await send(url, { ...init, headers })
      }
      sentTokens.set(response, used)
      return response
    },
  }

  /** Proves that the token is ours, if it is bound to a key. */
  function withProof(fetch: FetchLike): FetchLike {
    return async (url, init) => {
      const token = bearer(init)
      const session = token === undefined ? undefined : await source.dpop?.()
      if (!session) return fetch(url, init)
      const { withDpop } = await import('@modelcontextprotocol/client')
      return withDpop(session, () => token)(fetch)(url, init)
    }
  }
}

/** Reads the WWW-Authenticate header of a rejection. */
export async function readChallenge(
  response: Response,
): Promise<{ error?: string; challenge: Challenge }> {
  // load the SDK only when needed: it is half a megabyte of code
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  const dpop = /(?:^|,)\s*dpop(?:\s|$|,)/i.test(response.headers.get('www-authenticate') ?? '')
  return {
    ...(error !== undefined && { error }),
    challenge: {
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(dpop && { dpop }),
    },
  }
}

function bearer(init: RequestInit | undefined): string | undefined {
  return /^Bearer (.+)$/i.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1]
}
