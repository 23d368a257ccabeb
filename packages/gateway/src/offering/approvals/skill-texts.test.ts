import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../skills/verify-file.ts'
import { openReplicas } from '../../state/open-replicas.fixtures.ts'
import { createPostgresSkillTexts } from './postgres-skill-texts.ts'
import { describeSkillTextStore } from './skill-texts.cases.ts'
import { createSkillTextFiles, createSkillTexts, MAX_TEXT_BYTES } from './skill-texts.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-texts-'))
})

describe('createSkillTextFiles', () => {
  describeSkillTextStore(async (maxBytes) => createSkillTextFiles(join(folder, 'texts'), maxBytes))
})

describe('createPostgresSkillTexts', () => {
  describeSkillTextStore(async (maxBytes) => {
    const [{ database }] = await openReplicas()
    return createPostgresSkillTexts(database, maxBytes)
  })
})

describe('createSkillTexts', () => {
  const text = Buffer.from('Ask first.')

  it('keeps texts for the next process, but nothing binary and nothing large', async () => {
    const texts = createSkillTexts(createSkillTextFiles(folder))
    const binary = Buffer.from([0xff, 0xfe, 0])
    const large = Buffer.alloc(MAX_TEXT_BYTES + 1, 'a')
    for (const bytes of [text, binary, large]) texts.keep(digestOf(bytes), bytes)
    await texts.settled()
    const later = createSkillTexts(createSkillTextFiles(folder))
    expect(await later.read(digestOf(text))).toBe('Ask first.')
    expect(await later.read(digestOf(binary))).toBeUndefined()
    expect(await later.read(digestOf(large))).toBeUndefined()
  })

  it('does not return a text that somebody else has changed', async () => {
    const texts = createSkillTexts(createSkillTextFiles(folder))
    texts.keep(digestOf(text), text)
    await texts.settled()
    const [name] = await readdir(folder)
    await writeFile(join(folder, name!), 'Ask never.')
    expect(await texts.read(digestOf(text))).toBeUndefined()
  })

  it('keeps nothing without a store, or if it fails', async () => {
    const failing = {
      read: () => Promise.reject(new Error()),
      write: () => Promise.reject(new Error()),
    }
    for (const store of [undefined, failing]) {
      const texts = createSkillTexts(store)
      texts.keep(digestOf(text), text)
      await texts.settled()
      expect(await texts.read(digestOf(text))).toBeUndefined()
    }
  })
})
