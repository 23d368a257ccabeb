import type { OAuthConfig, ServerConfig } from '../config/gateway-config.ts'

/** What a sign-in has to know of a server. */
export interface RemoteServer {
  readonly name: string
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth?: OAuthConfig
}

/** Undefined for what cannot be signed in to: a process, or a server whose configuration has a token. */
export function remoteServer({ name, connection }: ServerConfig): RemoteServer | undefined {
  if (connection.kind === 'stdio') return undefined
  const hasToken = Object.keys(connection.headers).some((key) => /^authorization$/i.test(key))
  return hasToken ? undefined : { name, ...connection }
}
