import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readSkillEntry } from './skill-entry.ts'
import { digestOf } from './verify-file.ts'

const text = '---\nname: refunds\ndescription: Refund a customer\n---\nAsk first.'
const uri = 'skill://acme/refunds/SKILL.md'
const entry = (change: object = {}): object => ({
  uri,
  frontmatter: { name: 'refunds', description: 'Refund a customer' },
  resources: [{ uri, digest: digestOf(Buffer.from(text)), size: text.length }],
  ...change,
})

describe('readSkillEntry', () => {
  it('never throws, whatever a server sends', async () => {
    await checkProperty(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (one, two, three) => {
        for (const given of [
          one,
          entry({ uri: one }),
          entry({ frontmatter: two, resources: three }),
        ]) {
          expect(readSkillEntry(given)).toBeTypeOf('object')
        }
      }),
    )
  })
})
