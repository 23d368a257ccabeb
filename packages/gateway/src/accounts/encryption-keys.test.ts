import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Keyring, readEncryptionKeys } from './encryption-keys.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-keys-'))
})

const key = randomBytes(32)
const single = () => ({ stateFolder: folder, isShared: false })

describe('readEncryptionKeys', () => {
  it.each(['base64', 'base64url', 'hex'] as const)('reads keys in %s', async (encoding) => {
    const previous = randomBytes(32)
    const keys = await readEncryptionKeys(
      { key: key.toString(encoding), previousKeys: [previous.toString(encoding)] },
      single(),
    )
    expect(keys).toEqual({ current: key, previous: [previous] })
  })

  it('rejects keys of the wrong length without repeating them', async () => {
    for (const text of ['', 'short-secret', randomBytes(16).toString('hex'), '='.repeat(44)]) {
      const reading = readEncryptionKeys({ key: text, previousKeys: [] }, single())
      await expect(reading).rejects.toThrow('encryption.key must be 32 bytes in base64 or hex.')
      await expect(reading).rejects.not.toThrow(/short-secret/)
    }
    await expect(
      readEncryptionKeys({ key: key.toString('hex'), previousKeys: ['x'] }, single()),
    ).rejects.toThrow('encryption.previousKeys[0] must be')
  })

  it('reads a key file that others cannot read', async () => {
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, `${key.toString('base64')}\n`, { mode: 0o644 })
    await chmod(keyFile, 0o644)
    const read = () => readEncryptionKeys({ keyFile, previousKeys: [] }, single())
    await expect(read()).rejects.toThrow(`Run: chmod 600 ${keyFile}`)
    for (const mode of [0o600, 0o400, 0o440]) {
      await chmod(keyFile, mode)
      expect((await read()).current).toEqual(key)
    }
    await rm(keyFile)
    await expect(read()).rejects.toThrow(`The key file ${keyFile} cannot be read (ENOENT)`)
  })

  it('generates one key for all processes of a machine', async () => {
    const stateFolder = join(folder, 'state')
    const read = () => readEncryptionKeys(undefined, { stateFolder, isShared: false })
    const keys = await Promise.all(Array.from({ length: 8 }, read))
    for (const each of keys) expect(each).toEqual(keys[0])
    expect(await read()).toEqual(keys[0])
    expect((await stat(join(stateFolder, 'encryption.key'))).mode & 0o777).toBe(0o600)
  })

  it('generates no key that other machines would need, or that cannot be stored', async () => {
    await expect(
      readEncryptionKeys(undefined, { stateFolder: folder, isShared: true }),
    ).rejects.toMatchObject({
      code: 'invalid_encryption_key',
      message: expect.stringContaining('all replicas need the same key. Set "encryption"'),
    })
    await expect(
      readEncryptionKeys(undefined, { stateFolder: false, isShared: false }),
    ).rejects.toThrow('Set "encryption"')
  })

  it('reads the keyring of the system', async () => {
    const asked: string[] = []
    const loadKeyring = async (): Promise<Keyring> => ({
      Entry: function Entry(service: string, name: string) {
        asked.push(`${service}/${name}`)
        return { getPassword: () => (name === 'team' ? key.toString('base64') : null) }
      } as unknown as Keyring['Entry'],
    })
    const read = (keyring: string) =>
      readEncryptionKeys({ keyring, previousKeys: [] }, { ...single(), loadKeyring })
    expect((await read('team')).current).toEqual(key)
    expect(asked).toEqual(['toolsearch/team'])
    await expect(read('other')).rejects.toThrow('has no entry "other" of the service "toolsearch"')
  })

  it('says what to install for the keyring', async () => {
    await expect(
      readEncryptionKeys({ keyring: 'team', previousKeys: [] }, single()),
    ).rejects.toThrow('install @napi-rs/keyring: npm install')
  })
})
