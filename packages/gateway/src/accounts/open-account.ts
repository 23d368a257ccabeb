import type { ServerConfig } from '../config/gateway-config.ts'
import type { IdTokens } from '../identity/id-tokens.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { type RemoteServer, remoteServer } from '../sign-in/remote-server.ts'
import { createServerAuth } from '../sign-in/server-auth.ts'
import { createStoredTokens } from '../sign-in/stored-tokens.ts'
import type { TokenSource } from '../sign-in/token-source.ts'
import { fingerprint } from '../system/fingerprint.ts'
import { createUpstream, type UpstreamOptions } from '../upstreams/create-upstream.ts'
import { accountKey, accountKind } from './account-servers.ts'
import type { Account, AccountStore } from './account-store.ts'
import { createExchangedTokens } from './exchanged-tokens.ts'
import type { PersonManifests } from './person-manifests.ts'
import type { OpenedUpstream } from './person-upstream.ts'
import { withPersonValues } from './person-values.ts'
import { withPersonalFailures } from './personal-failures.ts'

export interface OpenAccountOptions {
  readonly person: string
  readonly store: AccountStore
  readonly manifests: PersonManifests
  /** The page where people connect their accounts. */
  readonly page: string
  /** The access token of the person's latest request. */
  readonly subjectToken: () => string | undefined
  readonly idTokenOf: IdTokens['find']
  /** Called with details for administrators. Must not throw. */
  readonly onProblem: (message: string) => void
  readonly upstream: Pick<
    UpstreamOptions,
    | 'aroundRequest'
    | 'client'
    | 'clientCapabilities'
    | 'secrets'
    | 'startQueue'
    | 'onChange'
    | 'onNotification'
    | 'now'
    | 'random'
  >
}

/**
 * Creates an upstream with one person's credentials, without connecting.
 *
 * @throws UpstreamError with `needs-sign-in` if the person has not connected an account
 */
export async function openAccount(
  config: ServerConfig,
  options: OpenAccountOptions,
): Promise<OpenedUpstream> {
  const { person, store, manifests, page } = options
  const { name } = config
  const account = (await store.read(accountKey(person, config))) ?? {}
  const needed = whatIsNeeded(config, account, page)
  if (needed !== undefined) throw new UpstreamError('needs-sign-in', name, needed)
  const filled = withPersonValues(config, account.values)
  if ('missing' in filled) {
    const message = `${name} needs your ${list(filled.missing)}. Open ${page} to enter what is missing.`
    throw new UpstreamError('needs-sign-in', name, message)
  }
  const { generation } = account
  const own = filled.config
  const source = tokenSource(own, options)
  const manifest = await manifests.read(person, config, generation)
  const secrets = [...(options.upstream.secrets ?? []), ...Object.values(account.values ?? {})]
  const upstream = createUpstream(own, {
    ...options.upstream,
    secrets,
    authFor: () => source && createServerAuth(source),
    manifest: manifest && { ...manifest, fingerprint: fingerprint(own.connection) },
    onManifest: (next) => manifests.write(person, config, generation, next),
  })
  return {
    upstream: withPersonalFailures(upstream, {
      ...options,
      hasValues: accountKind(config) === 'values',
    }),
    generation,
    reloadToken: async () => source?.reload(),
  }
}

/** What the person must do first, as a sentence. Undefined if nothing. */
function whatIsNeeded(config: ServerConfig, account: Account, page: string): string | undefined {
  const { name } = config
  if (account.isUnreadable) {
    return `Your stored credentials for ${name} cannot be decrypted any more. Open ${page} and connect ${name} again.`
  }
  const needsSignIn = accountKind(config) === 'sign-in' && !account.signIn?.tokens
  return needsSignIn ? `${name} requires a sign-in. ${connectHint(name, page)}` : undefined
}

/** Where the access token of the person comes from. Undefined for servers without one. */
function tokenSource(
  config: ServerConfig,
  { person, store, page, subjectToken, idTokenOf, onProblem }: OpenAccountOptions,
): TokenSource | undefined {
  const { name, credentials } = config
  const remote: RemoteServer | undefined = remoteServer(config)
  if (!remote) return undefined
  if (credentials?.kind === 'exchange') {
    const { exchange } = credentials
    return createExchangedTokens({
      server: remote,
      exchange,
      subjectToken,
      idTokenOf,
      onProblem,
    })
  }
  return createStoredTokens(remote, store.signInsOf(person), connectHint(name, page))
}

function connectHint(server: string, page: string): string {
  return `Open ${page} and connect ${server}.`
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
