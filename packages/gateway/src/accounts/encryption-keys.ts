import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolSearchError } from 'toolsearch'
import type { EncryptionConfig } from '../config/team-config.ts'
import { createFolder } from '../system/create-folder.ts'

/** The keys that encrypt stored credentials. */
export interface EncryptionKeys {
  readonly current: Buffer
  /** Keys that still decrypt what was stored with them. */
  readonly previous: readonly Buffer[]
}

/** The key for stored credentials is missing or unusable. The message says what to do. */
class EncryptionKeyError extends ToolSearchError {
  override readonly name = 'EncryptionKeyError'
  readonly code = 'invalid_encryption_key'
}

export interface ReadEncryptionKeysOptions {
  /** Where a key is generated if none is configured. False if nothing may be stored. */
  readonly stateFolder: string | false
  /** Whether several machines store credentials in the same place, so that they need the same key. */
  readonly isShared: boolean
  /** @default the package @napi-rs/keyring */
  readonly loadKeyring?: () => Promise<Keyring>
}

/** The part of `@napi-rs/keyring` that we use. */
export interface Keyring {
  readonly Entry: new (service: string, name: string) => { getPassword(): string | null }
}

const KEY_BYTES = 32
const GENERATED_FILE = 'encryption.key'
const KEYRING_SERVICE = 'toolsearch'
const CREATE_ONE = 'Create a key with: openssl rand -base64 32'

/**
 * Reads the configured keys. On a single machine without `encryption` settings, generates a key in the
 * state folder, which only its owner can read.
 *
 * @throws EncryptionKeyError
 */
export async function readEncryptionKeys(
  config: EncryptionConfig | undefined,
  options: ReadEncryptionKeysOptions,
): Promise<EncryptionKeys> {
  const previous = (config?.previousKeys ?? []).map((text, index) =>
    parseKey(text, `encryption.previousKeys[${index}]`),
  )
  return { current: await readCurrent(config, options), previous }
}

async function readCurrent(
  config: EncryptionConfig | undefined,
  options: ReadEncryptionKeysOptions,
): Promise<Buffer> {
  const { key, keyFile, keyring } = config ?? {}
  if (key !== undefined) return parseKey(key, 'encryption.key')
  if (keyFile !== undefined) return readKeyFile(keyFile)
  if (keyring !== undefined) return readKeyring(keyring, options.loadKeyring ?? loadKeyring)
  const needed = 'Each person has credentials of their own, which are stored encrypted.'
  if (options.isShared) {
    throw new EncryptionKeyError(
      `${needed} With PostgreSQL, all replicas need the same key. Set "encryption" to { "keyFile": … }, { "key": "\${NAME}" } or { "keyring": … }. ${CREATE_ONE}`,
    )
  }
  if (options.stateFolder === false) {
    throw new EncryptionKeyError(`${needed} Set "encryption", or allow a state folder.`)
  }
  return generatedKey(options.stateFolder)
}

/** Accepts base64, base64url and hex. The error does not repeat the text, which may be a secret. */
function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim()
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed)
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
  const bytes = Buffer.from(isHex || isBase64 ? trimmed : '', isHex ? 'hex' : 'base64')
  if (bytes.length === KEY_BYTES) return bytes
  throw new EncryptionKeyError(`${where} must be 32 bytes in base64 or hex. ${CREATE_ONE}`)
}

async function readKeyFile(file: string): Promise<Buffer> {
  let text: string
  try {
    const { mode } = await stat(file)
    // group members may read it: Kubernetes mounts secrets that way for containers without root
    if (process.platform !== 'win32' && (mode & 0o037) !== 0) {
      throw new EncryptionKeyError(
        `Other users can read or change the key file ${file}. Run: chmod 600 ${file}`,
      )
    }
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof EncryptionKeyError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new EncryptionKeyError(`The key file ${file} cannot be read (${code}). ${CREATE_ONE}`)
  }
  return parseKey(text, `The key file ${file}`)
}

async function generatedKey(folder: string): Promise<Buffer> {
  const file = join(folder, GENERATED_FILE)
  if (await exists(file)) return readKeyFile(file)
  await createFolder(folder)
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600 })
    const handle = await open(draft, 'r+')
    // a key that is lost in a power failure takes all stored credentials with it
    await handle.sync()
    await handle.close()
    // fails if another process has created the file in the meantime: then its key counts
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new EncryptionKeyError(`The key file ${file} cannot be created (${code}).`)
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
  return readKeyFile(file)
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

async function readKeyring(name: string, load: () => Promise<Keyring>): Promise<Buffer> {
  let password: string | null
  try {
    const { Entry } = await load()
    password = new Entry(KEYRING_SERVICE, name).getPassword()
  } catch (error) {
    if (error instanceof EncryptionKeyError) throw error
    const { message } = error as Error
    throw new EncryptionKeyError(`The keyring of the system cannot be read: ${message}`)
  }
  if (password === null) {
    throw new EncryptionKeyError(
      `The keyring of the system has no entry "${name}" of the service "${KEYRING_SERVICE}". ${CREATE_ONE}`,
    )
  }
  return parseKey(password, `The entry "${name}" of the keyring`)
}

async function loadKeyring(): Promise<Keyring> {
  // not a dependency, because it is native code that few people need
  const name = '@napi-rs/keyring'
  try {
    return (await import(name)) as Keyring
  } catch {
    throw new EncryptionKeyError(
      `To read the key from the keyring of the system, install ${name}: npm install --global ${name}. Or use "keyFile" instead.`,
    )
  }
}
