import { dirname, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import type { ConfigReader, Place } from './config-reader.ts'
import { ENCRYPTION_RULES } from './rules/identity-rules.ts'
import type { EncryptionConfig } from './team-config.ts'
import { withoutMissing } from './without-missing.ts'

const SOURCES = ['key', 'keyFile', 'keyring'] as const

/** Reads where the key comes from that encrypts stored credentials. Undefined if it is not set. */
export function readEncryption(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
  file: string,
): EncryptionConfig | undefined {
  if (!node) return undefined
  const encryption = reader.object(node, place, ENCRYPTION_RULES)
  if (node.type !== 'object') return undefined
  const given = SOURCES.filter(encryption.has)
  if (given.length !== 1) {
    const what = given.length === 0 ? 'no key' : given.join(' and ')
    const message = `${place.label} has ${what}.`
    reader.report(node, message, 'Write exactly one of "key", "keyFile" and "keyring".')
  }
  const key = encryption.get('key')
  if (key !== undefined && !isEncryptionKey(key)) {
    const message = `${encryption.name('key')} does not have 32 bytes in base64 or hex.`
    reader.report(encryption.node('key')!, message, 'Create one with `openssl rand -base64 32`.')
  }
  const previousKeys = encryption.get('previousKeys') ?? []
  for (const [index, previous] of previousKeys.entries()) {
    if (isEncryptionKey(previous)) continue
    const label = `item ${index + 1} in ${encryption.name('previousKeys')}`
    const at = encryption.node('previousKeys')!
    reader.report(at, `${label} does not have 32 bytes in base64 or hex.`, 'Correct or remove it.')
  }
  const keyFile = encryption.get('keyFile')
  return withoutMissing<EncryptionConfig>({
    key,
    keyFile: keyFile === undefined ? undefined : resolve(dirname(file), keyFile),
    keyring: encryption.get('keyring'),
    previousKeys,
  })
}

/** Whether a text is 32 bytes in hex, base64 or base64url. */
function isEncryptionKey(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
}
