import { createHash, randomBytes } from 'node:crypto'
import type { SharedState } from '../state/shared-state.ts'
import { openValue, sealValue } from './sealed-value.ts'

/**
 * Records that can be read only with their secret, such as the value of a browser's cookie. What is
 * stored reveals neither the secret nor the record.
 */
export interface SealedRecords<Value> {
  /** Resolves to the secret. */
  add(value: Value, ttlMs: number): Promise<string>
  /** Undefined if there is no such record. */
  read(secret: string): Promise<Value | undefined>
  remove(secret: string): Promise<void>
}

const MAX_SECRET = 100

/** @param kind starts the names of the records, and keeps kinds apart */
export function createSealedRecords<Value>(state: SharedState, kind: string): SealedRecords<Value> {
  const digest = (purpose: string, secret: string) =>
    createHash('sha256').update(`${kind} ${purpose} ${secret}`).digest()
  const nameOf = (secret: string) => `${kind}:${digest('name', secret).toString('base64url')}`

  return {
    async add(value, ttlMs) {
      const secret = randomBytes(32).toString('base64url')
      await state.set(nameOf(secret), sealValue(value, digest('key', secret)), ttlMs)
      return secret
    },
    async read(secret) {
      if (secret.length > MAX_SECRET) return undefined
      const sealed = await state.get(nameOf(secret))
      if (sealed === undefined) return undefined
      return openValue(sealed, digest('key', secret)) as Value | undefined
    },
    async remove(secret) {
      if (secret.length <= MAX_SECRET) await state.delete(nameOf(secret))
    },
  }
}
