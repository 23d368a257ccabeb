import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import { assignNames, offeredNames } from './offered-names.ts'
import { serverConfig } from './upstream-set.fixtures.ts'

describe('tools that would have the same name', () => {
  it('never get the same name', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'A', '_', '-', ' ', '2'),
      minLength: 1,
      maxLength: 5,
    })
    await checkProperty(
      fc.property(fc.array(part, { maxLength: 12 }), (originals) => {
        const { nameOf } = offeredNames({ servers: [serverConfig('a')] })
        const names = assignNames(
          [...new Set(originals)].map((original) => {
            const wanted = nameOf('a', original)
            return { original, wanted, isOwn: wanted.endsWith(original) }
          }),
        )
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('never belong to two servers', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'b', '_', '-'),
      minLength: 1,
      maxLength: 6,
    })
    await checkProperty(
      fc.property(part, part, part, part, (one, two, oneTool, twoTool) => {
        fc.pre(/[ab-]/.test(one) && /[ab-]/.test(two))
        const servers = [serverConfig(one, { prefix: false }), serverConfig(two)]
        const names = offeredNames({ servers })
        fc.pre(toolPrefix(one) !== toolPrefix(two))
        expect(names.nameOf(one, oneTool)).not.toBe(names.nameOf(two, twoTool))
      }),
    )
  })
})
