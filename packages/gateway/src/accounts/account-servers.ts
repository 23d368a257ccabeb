import type { ServerConfig } from '../config/gateway-config.ts'
import { type RemoteServer, remoteServer } from '../sign-in/remote-server.ts'
import type { AccountKey } from './account-records.ts'
import { personValueNames } from './person-values.ts'

/**
 * Whether each person has an upstream of their own for a server. A server with mistakes in its entry has none:
 * it fails for everybody alike.
 */
export function isPersonal({ credentials, disabled, problems }: ServerConfig): boolean {
  return !disabled && !problems && credentials !== undefined && credentials.kind !== 'shared'
}

/** Where a person's credentials for a server are stored. */
export function accountKey(person: string, { name, connection }: ServerConfig): AccountKey {
  return { person, server: name, url: connection.kind === 'stdio' ? '' : connection.url }
}

/**
 * What a person has to do before a server can be used:
 *
 * - `sign-in`: sign in to it
 * - `values`: enter values for `${person:NAME}`
 * - `nothing`: a token is exchanged, or the server needs no credentials
 */
export function accountKind(config: ServerConfig): 'sign-in' | 'values' | 'nothing' {
  if (config.credentials?.kind !== 'person') return 'nothing'
  if (personValueNames(config).length > 0) return 'values'
  return signInTarget(config) ? 'sign-in' : 'nothing'
}

/** The server to sign in to. Undefined if people cannot sign in to it. */
export function signInTarget(config: ServerConfig): RemoteServer | undefined {
  if (config.credentials?.kind !== 'person') return undefined
  const remote = remoteServer(config)
  const grant = remote?.oauth?.grant ?? 'authorization_code'
  return grant === 'authorization_code' ? remote : undefined
}
