import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import type { Challenge, TokenSource } from './token-source.ts'

/** How the requests to one server are signed in, as the SDK's transports take it. */
export interface ServerAuth extends AuthProvider {
  /** To be used for every request to the server. */
  readonly fetch: FetchLike
}

/** Shows a server the token there is, and sees to another when it is refused. */
export function createServerAuth(source: TokenSource): ServerAuth {
  const shown = new WeakMap<Response, string | undefined>()
  return {
    token: source.token,
    async onUnauthorized({ response }) {
      const { challenge } = await readRefusal(response)
      await source.renew(shown.get(response), challenge)
    },
    async fetch(url, init) {
      let response = await fetch(url, init)
      if (response.status !== 401 && response.status !== 403) return response
      let used = bearer(init)
      // first for a token that another process got, then for one of our own
      for (let round = 0; response.status === 403 && round < 2; round++) {
        const { error, challenge } = await readRefusal(response)
        if (error !== 'insufficient_scope' || !(await source.widen(used, challenge))) break
        used = await source.token()
        const headers = new Headers(init?.headers)
        headers.set('authorization', `Bearer ${used}`)
        await response.body?.cancel()
        response = await fetch(url, { ...init, headers })
      }
      shown.set(response, used)
      return response
    },
  }
}

async function readRefusal(response: Response): Promise<{ error?: string; challenge: Challenge }> {
  // loaded only where it is needed: it is half a megabyte of code
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  return {
    ...(error !== undefined && { error }),
    challenge: {
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    },
  }
}

function bearer(init: RequestInit | undefined): string | undefined {
  return /^Bearer (.+)$/i.exec(new Headers(init?.headers).get('authorization') ?? '')?.[1]
}
