import { createHash } from 'node:crypto'
import type { TokenExchangeConfig } from '../config/team-config.ts'
import type { IdTokens } from '../identity/id-tokens.ts'
import type { RemoteServer } from '../sign-in/remote-server.ts'
import { SignInNeededError } from '../sign-in/sign-in-error.ts'
import type { TokenSource } from '../sign-in/token-source.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { requestExchange } from './request-exchange.ts'
import { requestIdJag } from './request-id-jag.ts'

export interface ExchangedTokensOptions {
  readonly server: RemoteServer
  readonly exchange: TokenExchangeConfig
  /** The access token that came with the person's latest request. */
  readonly subjectToken: () => string | undefined
  /** The ID token that was issued with an access token, if the gateway has kept it. */
  readonly idTokenOf: IdTokens['find']
  /** Called with details for administrators if the exchange is refused. Must not throw. */
  readonly onProblem: (message: string) => void
  readonly now?: () => number
}

interface Exchanged {
  readonly token: string
  readonly expiresAt: number
}

/** A token is exchanged again this long before it expires, so that it is valid when it arrives. */
const EARLY_MS = 30_000
/** For authorization servers that do not say when a token expires. */
const DEFAULT_LIFETIME_MS = 5 * 60_000
/** A person may use several clients, each with a token of its own. */
const MAX_TOKENS = 8

/**
 * Tokens for one server that the identity provider issues, or vouches for, in exchange for the person's
 * own token (RFC 8693, ID-JAG). Kept in memory only, until they expire.
 */
export function createExchangedTokens(options: ExchangedTokensOptions): TokenSource {
  const { exchange, subjectToken, onProblem, now = Date.now } = options
  const server = options.server.name
  const tokens = createBoundedMap<string, Promise<Exchanged>>(MAX_TOKENS)

  function current(): { key: string; subject: string } {
    const subject = subjectToken()
    if (subject !== undefined) return { key: hash(subject), subject }
    throw new SignInNeededError(
      `${server} needs the access token of a person who signed in. It cannot be used with an API key.`,
    )
  }

  function request(key: string, subject: string): Promise<Exchanged> {
    const requested = exchanged(subject)
    tokens.set(key, requested)
    return requested
  }

  async function exchanged(subject: string): Promise<Exchanged> {
    const token = exchange.subjectToken === 'id-token' ? await idToken(subject) : subject
    const outcome =
      exchange.grant === 'id-jag'
        ? await requestIdJag(options.server, exchange, token)
        : await requestExchange(exchange, token)
    if ('token' in outcome) {
      const { token, expiresInSeconds } = outcome
      const lifetime =
        expiresInSeconds === undefined ? DEFAULT_LIFETIME_MS : expiresInSeconds * 1000
      return { token, expiresAt: now() + lifetime }
    }
    if (outcome.detail) onProblem(`Token exchange for ${server} failed: ${outcome.detail}`)
    const message = outcome.explain(server)
    throw outcome.isTemporary ? new Error(message) : new SignInNeededError(message)
  }

  async function idToken(subject: string): Promise<string> {
    const found = await options.idTokenOf(subject)
    if (found !== undefined) return found
    onProblem(
      `Token exchange for ${server} failed: there is no ID token of the sign-in. Check that "keepIdTokens" is on.`,
    )
    throw new SignInNeededError(
      `${server} needs the ID token of your sign-in, which the gateway does not have. Sign in to the gateway again. If that does not help, ask the administrator of the gateway.`,
    )
  }

  async function token(): Promise<string> {
    const { key, subject } = current()
    const known = tokens.get(key)
    const exchangedToken = await known?.catch(() => undefined)
    if (exchangedToken && exchangedToken.expiresAt - EARLY_MS > now()) return exchangedToken.token
    // another request may have replaced it in the meantime
    return tokens.get(key) === known ? (await request(key, subject)).token : token()
  }

  return {
    token,
    async renew(rejected) {
      const { key, subject } = current()
      const known = await tokens.get(key)?.catch(() => undefined)
      if (known && known.token !== rejected) return
      const next = await request(key, subject)
      if (next.token !== rejected) return
      throw new SignInNeededError(
        `${server} rejects the token that the identity provider issued. Ask your administrator.`,
      )
    },
    // what a token may do is configured, not requested
    extendScope: async () => false,
    reload: async () => false,
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
