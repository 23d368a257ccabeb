import type { IdentityConfig } from '../config/team-config.ts'
import { looksLikeApiKey } from './api-key.ts'
import type { ApiKeys } from './api-keys.ts'
import { createAuthorizationProxy } from './authorization-proxy.ts'
import { bearerToken, dpopToken } from './bearer-token.ts'
import type { Authentication, Identity } from './identity.ts'
import type { IdentityStores } from './identity-stores.ts'
import { createKeyCheck } from './key-check.ts'
import { createPageSessions } from './page-sessions.ts'
import { createPageSignIn, SIGN_IN_CALLBACK } from './page-sign-in.ts'
import { createProofCheck, type ProvenRequest } from './proof-check.ts'
import { createRefusals, unavailable } from './refusals.ts'
import { createResourceMetadata, isForAgents } from './resource-metadata.ts'
import { type CheckedToken, createTokenCheck } from './token-check.ts'
import { createTrustedIssuer } from './trusted-issuer.ts'
import { signInProblem } from './web-exchange.ts'

export interface CreateIdentityOptions {
  /** Required if the configuration accepts API keys. */
  readonly keys?: ApiKeys | undefined
  readonly stores: IdentityStores
  /** Reports problems that an administrator has to solve. Must not throw. */
  readonly onWarning: (message: string) => void
  readonly now?: () => number
}

/** A token as it was sent, with what proves that its sender may use it. */
interface SentToken extends Omit<ProvenRequest, 'jkt' | 'person'> {
  /** Whether it was sent with the scheme that requires a proof. */
  readonly isProven: boolean
  readonly isRepeated?: boolean
}

const PROVIDER_FAILED = 'The identity provider cannot be reached, or gave an invalid answer.'

/** Sets up sign-in as configured. Contacts no identity provider before the first token arrives. */
export async function createIdentity(
  given: IdentityConfig,
  { keys, stores, onWarning, now = Date.now }: CreateIdentityOptions,
): Promise<Identity> {
  const config = { ...given, url: new URL(given.url).origin }
  const { url, clockSkewSeconds } = config
  const refusals = createRefusals(config)
  const warn = limitWarnings(onWarning, now)
  const jose = await import('jose')
  const issuers = config.issuers.map((issuer) =>
    createTrustedIssuer(jose, issuer, { clockSkewSeconds, now }),
  )
  const checkToken = createTokenCheck(jose, { config, issuers, refusals, warn, now })
  const checkProof = createProofCheck(jose, { ...stores, url, clockSkewSeconds, now })
  const checkKey = createKeyCheck(config.apiKeys ? keys : undefined, { refusals, warn })
  const sessions = createPageSessions({ config, records: stores.pageSessions, now })
  const proxied = issuers.find(({ config }) => config.proxy)
  const { proxy } = proxied?.config ?? {}
  const handlers: readonly Pick<Identity, 'serves' | 'handle'>[] = [
    createResourceMetadata(config),
    createPageSignIn({ config, issuers, sessions, checkToken, now }),
    ...(proxied && proxy
      ? [createAuthorizationProxy({ url, issuer: proxied, proxy, idTokens: stores.idTokens, now })]
      : []),
  ]

  /** A token that is bound to a key is worth nothing without a proof, and only such tokens need one. */
  function admitProven(
    checked: CheckedToken,
    { isProven, isRepeated, ...request }: SentToken,
  ): Authentication | Promise<Authentication> {
    if ('refusal' in checked) return checked
    const { jkt, person } = checked
    const unproven = (message: string): Authentication => ({
      refusal: {
        ...refusals.unproven(request.path, message),
        credential: { cause: 'proof', claimed: person.id },
      },
    })
    if (jkt === undefined) {
      return isProven ? unproven('The token is not bound to a key. Send it as Bearer.') : { person }
    }
    if (!isProven) return unproven('The token is bound to a key. Send it as DPoP, with a proof.')
    if (isRepeated) return { person }
    return checkProof({ ...request, jkt, person: person.id }).then(
      (problem) => (problem === undefined ? { person } : unproven(problem)),
      (error: Error) => {
        warn(`DPoP proofs cannot be checked. ${error.message}`)
        return { refusal: unavailable('The DPoP proof cannot be checked now. Try again later.') }
      },
    )
  }

  async function checkSession(cookie: string | undefined, path: string): Promise<Authentication> {
    try {
      const person = await sessions.find(cookie)
      return person ? { person } : { refusal: refusals.missing(path) }
    } catch (error) {
      warn(`Sessions cannot be read. ${(error as Error).message}`)
      return { refusal: unavailable('The gateway cannot check who you are now. Try again later.') }
    }
  }

  return {
    url,
    authenticate({ headers, path, ...request }): Authentication | Promise<Authentication> {
      const proven = dpopToken(headers)
      const token = proven ?? bearerToken(headers)
      if (token !== undefined) {
        if (proven === undefined && looksLikeApiKey(token)) return checkKey(token, path)
        const sent = {
          ...request,
          token,
          path,
          proof: headers.dpop,
          isProven: proven !== undefined,
        }
        const checked = checkToken(token, path)
        return checked instanceof Promise
          ? checked.then((found) => admitProven(found, sent))
          : admitProven(checked, sent)
      }
      // Agents never have a cookie; a page that has one must not act as an agent.
      return headers.cookie === undefined || isForAgents(path)
        ? { refusal: refusals.missing(path) }
        : checkSession(headers.cookie, path)
    },
    serves: (path) => issuers.length > 0 && handlers.some(({ serves }) => serves(path)),
    async handle(request, url, onRefused = () => {}) {
      const { pathname } = url
      const handler = handlers.find(({ serves }) => serves(pathname))
      try {
        return (
          (await handler?.handle(request, url, onRefused)) ?? new Response(null, { status: 404 })
        )
      } catch (error) {
        warn(`A sign-in failed. ${(error as Error).message}`)
        if (pathname === SIGN_IN_CALLBACK) onRefused(PROVIDER_FAILED, 503)
        return signInProblem(PROVIDER_FAILED, 503)
      }
    },
  }
}

/** The same warning at most once a minute: every request could cause it. */
function limitWarnings(
  onWarning: (message: string) => void,
  now: () => number,
): (message: string) => void {
  const saidAt = new Map<string, number>()
  return (message) => {
    const at = now()
    if (at - (saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) return
    if (saidAt.size >= 100) saidAt.clear()
    saidAt.set(message, at)
    onWarning(message)
  }
}
