import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, parseApiKey } from './api-key.ts'
import { createApiKeys } from './api-keys.ts'
import { createFileKeyStore } from './file-key-store.ts'
import { describeKeyStore } from './key-store.cases.ts'

let folder = ''
let count = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-keys-'))
})
const nextFile = () => join(folder, 'keys', `${count++}.json`)

describe('createFileKeyStore', () => {
  describeKeyStore(async () => {
    const file = nextFile()
    return { open: () => createFileKeyStore(file) }
  })

  it('stores hashes instead of keys, in a file that only its owner can read', async () => {
    const file = nextFile()
    const keys = createApiKeys(createFileKeyStore(file))
    const { key } = await keys.create({ name: 'ci', groups: [], role: 'member' })
    const text = await readFile(file, 'utf8')
    expect(text).toContain('"ci"')
    expect(text).not.toContain(key.slice(-30))
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'x', '{"format":2,"keys":[]}'])(
    'rejects instead of starting anew if the file contains %j',
    async (text) => {
      const file = nextFile()
      await createFileKeyStore(file).add({
        id: 'a',
        hash: '',
        name: '',
        groups: [],
        role: 'member',
        createdAt: 0,
      })
      await writeFile(file, text)
      const store = createFileKeyStore(file)
      await expect(store.find('a')).rejects.toThrow()
      await expect(store.revoke('a', 1)).rejects.toThrow()
    },
  )
})

describe('createApiKey', () => {
  it('creates keys that scanners recognise, and that never repeat', () => {
    const keys = Array.from({ length: 200 }, createApiKey)
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200)
    for (const { id, key, hash } of keys) {
      expect(key).toMatch(/^tsk_[a-z2-9]{12}_[0-9A-Za-z]{49}$/)
      expect(parseApiKey(key)).toEqual({ id, hash })
      expect(parseApiKey(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBeUndefined()
    }
  })
})
