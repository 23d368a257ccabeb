import { createHash } from 'node:crypto'
import { createOwnedValues } from '../state/owned-values.ts'
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

/** In characters. */
const CAPACITY = 20_000_000

export function createIdTokens(state: SharedState): IdTokens {
  const values = createOwnedValues(state, { kind: 'id-token', capacity: CAPACITY })
  const digest = (purpose: string, accessToken: string) =>
    createHash('sha256').update(`id-token ${purpose} ${accessToken}`).digest()
  const nameOf = (token: string) => digest('name', token).toString('base64url')
  return {
    async keep(accessToken, idToken, ttlMs) {
      const sealed = sealValue(idToken, digest('key', accessToken))
      const about = { owner: subjectIn(idToken), ttlMs }
      await values.set(nameOf(accessToken), sealed, about).catch(() => {})
    },
    async find(accessToken) {
      const sealed = await values.get(nameOf(accessToken))
      const found = sealed && openValue(sealed, digest('key', accessToken))
      return typeof found === 'string' ? found : undefined
    },
  }
}

/** Not verified: it comes from the provider itself, and nothing but the limit depends on it. */
function subjectIn(idToken: string): string {
  try {
    const [, claims = ''] = idToken.split('.')
    return String(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub)
  } catch {
    return ''
  }
}
