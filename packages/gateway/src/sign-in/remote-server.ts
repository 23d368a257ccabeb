import type { OAuthConfig, ServerConfig } from '../config/gateway-config.ts'

/** A server that a person can sign in to. */
export interface RemoteServer {
  readonly name: string
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth?: OAuthConfig
}

/** Undefined for servers without sign-in: local processes, and servers with a token in their headers. */
export function remoteServer({ name, connection }: ServerConfig): RemoteServer | undefined {
  if (connection.kind === 'stdio') return undefined
  const hasToken = Object.keys(connection.headers).some((key) => /^authorization$/i.test(key))
  return hasToken ? undefined : { name, ...connection }
}
