import type {
  DpopKeyPair,
  DpopSession,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import type { JWK } from 'jose'
import type { OAuthConfig } from '../config/gateway-config.ts'
import { SignInNeededError } from './sign-in-error.ts'
import type { Challenge } from './token-source.ts'

/** The private key that access tokens are bound to (RFC 9449). Plain data, and secret like the tokens. */
export type DpopKey = JWK

const ALGORITHM = 'ES256'

/**
 * Whether to request tokens that are bound to a key.
 *
 * Many authorization servers bind tokens on request, but a server that knows only bearer tokens would
 * reject them. By default, both sides must therefore declare that they support DPoP.
 */
export function usesDpop(
  oauth: OAuthConfig | undefined,
  challenge: Challenge | undefined,
  discovery: OAuthDiscoveryState | undefined,
): boolean {
  const setting = oauth?.dpop ?? 'auto'
  if (setting !== 'auto') return setting === 'required'
  const resource = discovery?.resourceMetadata as Record<string, unknown> | undefined
  const issuer = discovery?.authorizationServerMetadata as Record<string, unknown> | undefined
  const isExpected =
    challenge?.dpop === true ||
    resource?.dpop_bound_access_tokens_required === true ||
    Array.isArray(resource?.dpop_signing_alg_values_supported)
  const supported = issuer?.dpop_signing_alg_values_supported
  return isExpected && Array.isArray(supported) && supported.includes(ALGORITHM)
}

export async function createDpopKey(): Promise<DpopKey> {
  const { exportJWK, generateKeyPair } = await import('jose')
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return exportJWK(privateKey)
}

/** Signs proofs with a key, and remembers the nonces that servers require in them. */
export async function dpopSession(key: DpopKey): Promise<DpopSession> {
  const [sdk, jose] = await Promise.all([import('@modelcontextprotocol/client'), import('jose')])
  const { d: _, ...publicJwk } = key
  const [privateKey, publicKey] = await Promise.all(
    [key, publicJwk].map(
      (each) => jose.importJWK(each, ALGORITHM) as Promise<DpopKeyPair['privateKey']>,
    ),
  )
  const thumbprint = await jose.calculateJwkThumbprint(publicJwk, 'sha256')
  const pair = { privateKey: privateKey!, publicKey: publicKey!, publicJwk, thumbprint }
  return sdk.DpopSession.create({ keyPair: { ...pair, alg: ALGORITHM } })
}

/** Returns the same session for the same key, so that nonces are not requested again. */
export function createDpopSessions(): (key: DpopKey) => Promise<DpopSession> {
  let known: { x: unknown; session: Promise<DpopSession> } | undefined
  return (key) => {
    if (known?.x !== key.x) known = { x: key.x, session: dpopSession(key) }
    return known!.session
  }
}

export function isBound(tokens: Pick<OAuthTokens, 'token_type'> | undefined): boolean {
  return tokens?.token_type?.toLowerCase() === 'dpop'
}

/** @throws SignInNeededError if the configuration requires bound tokens, and these are not */
export function checkBinding(
  server: { readonly name: string; readonly oauth?: OAuthConfig },
  tokens: Pick<OAuthTokens, 'token_type'>,
): void {
  if (server.oauth?.dpop !== 'required' || isBound(tokens)) return
  throw new SignInNeededError(
    `The authorization server of ${server.name} does not bind tokens to a key, which "dpop": "required" demands. Remove the setting if plain bearer tokens are acceptable.`,
  )
}
