import { createHash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The parts of a key such as `tsk_x3k9qp2m7c4t_…`. */
export interface ApiKey {
  /** Not secret. */
  readonly id: string
  /** All of it, for the machine that uses it. Shown once, never stored. */
  readonly key: string
  /** What is stored instead. Without a salt: nobody can guess 256 random bits. */
  readonly hash: string
}

/** The prefix and the checksum let scanners find keys that were published by mistake. */
const KEY = /^tsk_([0-9a-z]{12})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

export function createApiKey(): ApiKey {
  const id = Array.from({ length: 12 }, () => ID_ALPHABET[randomInt(ID_ALPHABET.length)]).join('')
  // 43 digits in base 62 hold 256 bits.
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  const start = `tsk_${id}_${secret}`
  const key = `${start}${checksum(start)}`
  return { id, key, hash: hashOf(key) }
}

/** The id and hash of a key. Undefined for texts that cannot be keys. */
export function parseApiKey(text: string): Omit<ApiKey, 'key'> | undefined {
  const [, id, sum] = KEY.exec(text) ?? []
  if (id === undefined || sum === undefined || checksum(text.slice(0, -6)) !== sum) return undefined
  return { id, hash: hashOf(text) }
}

/** Whether a text is meant to be a key, valid or not. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('tsk_')
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function checksum(text: string): string {
  return inBase62(BigInt(crc32(text)), 6)
}

function inBase62(value: bigint, length: number): string {
  let rest = value
  let digits = ''
  for (let index = 0; index < length; index++) {
    digits = ALPHABET[Number(rest % 62n)] + digits
    rest /= 62n
  }
  return digits
}
