import { createHash, randomBytes } from 'node:crypto'
import type { AboutValue, OwnedValues } from '../state/owned-values.ts'
import { openValue, sealValue } from './sealed-value.ts'

/**
 * Records that can be read only with their secret, such as the value of a browser's cookie. What is
 * stored reveals neither the secret nor the record.
 */
export interface SealedRecords<Value> {
  /** Resolves to the secret. */
  add(value: Value, about: AboutValue): Promise<string>
  /** Undefined if there is no such record. */
  read(secret: string): Promise<Value | undefined>
  remove(secret: string): Promise<void>
}

const MAX_SECRET = 100

/** @param purpose separates records of one kind from those of others */
export function createSealedRecords<Value>(
  values: OwnedValues,
  purpose: string,
): SealedRecords<Value> {
  const digest = (use: string, secret: string) =>
    createHash('sha256').update(`${purpose} ${use} ${secret}`).digest()
  const nameOf = (secret: string) => digest('name', secret).toString('base64url')

  return {
    async add(value, about) {
      const secret = randomBytes(32).toString('base64url')
      await values.set(nameOf(secret), sealValue(value, digest('key', secret)), about)
      return secret
    },
    async read(secret) {
      if (secret.length > MAX_SECRET) return undefined
      const sealed = await values.get(nameOf(secret))
      if (sealed === undefined) return undefined
      return openValue(sealed, digest('key', secret)) as Value | undefined
    },
    async remove(secret) {
      if (secret.length <= MAX_SECRET) await values.delete(nameOf(secret))
    },
  }
}
