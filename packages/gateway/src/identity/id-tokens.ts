import { createHash } from 'node:crypto'
import type { SharedState } from '../state/shared-state.ts'
import { openValue, sealValue } from './sealed-value.ts'

/**
 * The ID tokens that an identity provider issued together with access tokens, for servers that get an
 * assertion in exchange for them. Each is encrypted with its access token, which only the client has: what
 * is stored reveals neither.
 */
export interface IdTokens {
  /** Never rejects: without it, some servers ask the person to sign in again. */
  keep(accessToken: string, idToken: string, ttlMs: number): Promise<void>
  find(accessToken: string): Promise<string | undefined>
}

export function createIdTokens(state: SharedState): IdTokens {
  const digest = (purpose: string, accessToken: string) =>
    createHash('sha256').update(`id-token ${purpose} ${accessToken}`).digest()
  const nameOf = (token: string) => `id-token:${digest('name', token).toString('base64url')}`
  return {
    async keep(accessToken, idToken, ttlMs) {
      const sealed = sealValue(idToken, digest('key', accessToken))
      await state.set(nameOf(accessToken), sealed, ttlMs).catch(() => {})
    },
    async find(accessToken) {
      const sealed = await state.get(nameOf(accessToken))
      const found = sealed && openValue(sealed, digest('key', accessToken))
      return typeof found === 'string' ? found : undefined
    },
  }
}
