import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { EncryptionKeys } from './encryption-keys.ts'

/** What a secret belongs to. A sealed text can be opened for exactly this. */
export interface SecretOwner {
  readonly person: string
  readonly server: string
  readonly url: string
  /** Which of the owner's secrets it is. */
  readonly field: string
}

/** Encrypts secrets before they are stored. */
export interface SecretBox {
  seal(text: string, owner: SecretOwner): string
  /**
   * Undefined if the text was changed, belongs to something else, or was sealed with a key that is no
   * longer configured.
   */
  open(sealed: string, owner: SecretOwner): string | undefined
  /** Whether a text was sealed with the current key rather than with a previous one. */
  isCurrent(sealed: string): boolean
  /** Whether the key that a text was sealed with is configured. */
  hasKeyOf(sealed: string): boolean
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals with AES-256-GCM. The format is `v1.KEY_ID.NONCE.CIPHERTEXT_AND_TAG`, in base64url. The owner
 * is associated data: nobody with access to the storage can move a secret to another person.
 *
 * A random nonce of 96 bits is safe for about four billion texts per key.
 */
export function createSecretBox({ current, previous }: EncryptionKeys): SecretBox {
  const currentId = keyId(current)
  const keys = new Map([...previous, current].map((key) => [keyId(key), key]))

  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(associatedData(currentId, owner))
      const sealed = Buffer.concat([
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return [VERSION, currentId, nonce.toString('base64url'), sealed.toString('base64url')].join(
        '.',
      )
    },
    open(sealed, owner) {
      const [version, id = '', nonceText = '', body = '', ...rest] = sealed.split('.')
      const key = keys.get(id)
      const nonce = Buffer.from(nonceText, 'base64url')
      const bytes = Buffer.from(body, 'base64url')
      const isValid = version === VERSION && rest.length === 0 && nonce.length === NONCE_BYTES
      if (!isValid || !key || bytes.length < TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        decipher.setAAD(associatedData(id, owner))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(0, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
    hasKeyOf: (sealed) => keys.has(sealed.split('.')[1] ?? ''),
    isCurrent: (sealed) => sealed.startsWith(`${VERSION}.${currentId}.`),
  }
}

/** Names a key without revealing anything about it. */
function keyId(key: Buffer): string {
  return createHash('sha256').update('toolsearch key id\0').update(key).digest('hex').slice(0, 12)
}

function associatedData(id: string, { person, server, url, field }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify(['toolsearch', VERSION, id, person, server, url, field]))
}
