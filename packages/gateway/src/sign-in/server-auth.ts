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
      const response = await fetch(url, init)
      if (response.status !== 401 && response.status !== 403) return response
      const used = bearer(init)
      shown.set(response, used)
      if (response.status === 401) return response
      const { error, challenge } = await readRefusal(response)
      if (error !== 'insufficient_scope' || !(await source.widen(used, challenge))) return response
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${await source.token()}`)
      await response.body?.cancel()
      return fetch(url, { ...init, headers })
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
