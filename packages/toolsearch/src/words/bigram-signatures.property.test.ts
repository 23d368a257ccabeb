import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createBigramProfile } from './bigram-profile.ts'
import { bigramSignatures, resemblanceFilter } from './bigram-signatures.ts'

describe('resemblanceFilter', () => {
  it('never rules out a text that is similar enough', async () => {
    const piece = fc.constantFrom('a', 'b', 'ab', 'read', '_', 'ü', '中', '😀', '\ud83d', '\ude00')
    const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    await checkProperty(
      fc.property(anyText, anyText, fc.double({ min: 0.1, max: 1, noNaN: true }), (a, b, min) => {
        const mayResemble = resemblanceFilter(a, min, bigramSignatures(['other', b]))
        if (createBigramProfile(a).dice(b) >= min) expect(mayResemble(1)).toBe(true)
      }),
    )
  })

  it('rules out most texts that are not similar', () => {
    const names = Array.from({ length: 500 }, (_, at) => `${at}_list_all_members_of_channel_${at}`)
    const mayResemble = resemblanceFilter('create calendar event', 0.45, bigramSignatures(names))
    expect(names.filter((_, at) => mayResemble(at)).length).toBeLessThan(25)
  })
})
