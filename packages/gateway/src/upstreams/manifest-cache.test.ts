import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createManifestCache, type Manifest } from './manifest-cache.ts'

const manifest: Manifest = {
  fingerprint: 'f',
  era: 'legacy',
  tools: [{ name: 'echo', inputSchema: {} }],
  refused: [],
  capabilities: { tools: {} },
  instructions: 'Be kind.',
}

function folder(): string {
  return join(mkdtempSync(join(tmpdir(), 'manifests-')), 'cache')
}

describe('createManifestCache', () => {
  it('returns a manifest that an earlier run has written', async () => {
    const where = folder()
    await createManifestCache(where).write('a', manifest)
    expect(await createManifestCache(where).read('a', 'f')).toMatchObject(manifest)
  })

  it('returns nothing for an unknown server or a changed connection', async () => {
    const cache = createManifestCache(folder())
    expect(await cache.read('a', 'f')).toBeUndefined()
    await cache.write('a', manifest)
    expect(await cache.read('a', 'g')).toBeUndefined()
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"format":1}',
    '{"format":1,"server":"a","manifest":{"fingerprint":"f","tools":[null]}}',
  ])('ignores a file that contains %j', async (text) => {
    const where = folder()
    const cache = createManifestCache(where)
    await cache.write('a', manifest)
    writeFileSync(join(where, 'a.json'), text)
    expect(await cache.read('a', 'f')).toBeUndefined()
  })

  it('stores each server in its own file inside the folder, whatever its name', async () => {
    const where = folder()
    const cache = createManifestCache(where)
    const names = ['a', 'A', '../a', 'a/b', 'a_b', 'ä', '.', 'x'.repeat(300)]
    await Promise.all(names.map((name) => cache.write(name, { ...manifest, instructions: name })))
    for (const name of names)
      expect(await cache.read(name, 'f')).toMatchObject({ instructions: name })
    expect(new Set(readdirSync(where).map((file) => file.toLowerCase())).size).toBe(names.length)
  })

  it('keeps the last of several concurrent writes', async () => {
    const cache = createManifestCache(folder())
    const writes = Array.from({ length: 20 }, (_, i) =>
      cache.write('a', { ...manifest, instructions: `${i}` }),
    )
    await Promise.all(writes)
    expect(await cache.read('a', 'f')).toMatchObject({ instructions: '19' })
  })

  it('tolerates a folder that cannot be written', async () => {
    const cache = createManifestCache('/dev/null/nowhere')
    await cache.write('a', manifest)
    expect(await cache.read('a', 'f')).toBeUndefined()
  })
})
