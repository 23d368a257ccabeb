import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { SharedState } from '../state/shared-state.ts'

/**
 * Records that can be read only with their secret, such as the value of a browser's cookie. What is
 * stored reveals neither the secret nor the record.
 */
export interface SealedRecords<Value> {
  /** Resolves to the secret. */
  add(value: Value, ttlMs: number): Promise<string>
  /** Undefined if there is no such record. */
  read(secret: string): Promise<Value | undefined>
  /** Reads a record and removes it: of several attempts, one succeeds. */
  take(secret: string): Promise<Value | undefined>
  remove(secret: string): Promise<void>
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const MAX_SECRET = 100

/** @param kind starts the names of the records, and keeps kinds apart */
export function createSealedRecords<Value>(state: SharedState, kind: string): SealedRecords<Value> {
  const digest = (purpose: string, secret: string) =>
    createHash('sha256').update(`${kind} ${purpose} ${secret}`).digest()
  const nameOf = (secret: string) => `${kind}:${digest('name', secret).toString('base64url')}`

  async function read(secret: string): Promise<Value | undefined> {
    if (secret.length > MAX_SECRET) return undefined
    const sealed = await state.get(nameOf(secret))
    return sealed === undefined ? undefined : (unseal(sealed, digest('key', secret)) as Value)
  }

  return {
    async add(value, ttlMs) {
      const secret = randomBytes(32).toString('base64url')
      await state.set(nameOf(secret), seal(value, digest('key', secret)), ttlMs)
      return secret
    },
    read,
    async take(secret) {
      const value = await read(secret)
      return value !== undefined && (await state.delete(nameOf(secret))) ? value : undefined
    },
    async remove(secret) {
      if (secret.length <= MAX_SECRET) await state.delete(nameOf(secret))
    },
  }
}

function seal(value: unknown, key: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
}

/** Undefined for what was not sealed with this key. */
function unseal(sealed: string, key: Buffer): unknown {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
    return JSON.parse(Buffer.concat([text, decipher.final()]).toString())
  } catch {
    return undefined
  }
}
