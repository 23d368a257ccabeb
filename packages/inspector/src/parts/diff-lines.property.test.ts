import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { diffLines } from './diff-lines.ts'

describe('diffLines', () => {
  it('contains every line of both texts', async () => {
    // Too few for a gap.
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })
    await checkProperty(
      fc.property(lines, lines, (before, after) => {
        fc.pre(before.join() !== after.join())
        const diff = diffLines(before, after)
        const side = (other: string) =>
          diff.filter(({ kind }) => kind !== other).map(({ text }) => text)
        expect(side('added')).toEqual(before)
        expect(side('removed')).toEqual(after)
      }),
    )
  })
})
