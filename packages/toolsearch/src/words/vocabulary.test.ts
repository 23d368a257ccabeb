import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createVocabulary } from './vocabulary.ts'

describe('createVocabulary', () => {
  const words = (...terms: string[]) => {
    const vocabulary = createVocabulary()
    for (const term of terms) vocabulary.add(term)
    return vocabulary
  }

  it('contains the terms that were added and not deleted', () => {
    const vocabulary = words('calendar', 'mail')
    vocabulary.delete('mail')
    vocabulary.delete('never')
    expect(vocabulary.has('calendar')).toBe(true)
    expect(vocabulary.has('mail')).toBe(false)
    expect(vocabulary.has('')).toBe(false)
  })

  it('finds at most eight terms with a prefix, shortest first', () => {
    const vocabulary = words('channels', 'chan', 'channel', 'chat', 'machan')
    expect(vocabulary.startingWith('chan')).toEqual(['chan', 'channel', 'channels'])
    for (let i = 0; i < 20; i++) vocabulary.add(`chan${i}`)
    expect(vocabulary.startingWith('chan')).toHaveLength(8)
  })

  it('finds the terms with the fewest typing errors', () => {
    const vocabulary = words('calendar', 'calender2', 'mail', 'main')
    expect(vocabulary.resembling('calender')).toEqual(['calendar', 'calender2'])
    expect(vocabulary.resembling('mial')).toEqual(['mail'])
    expect(vocabulary.resembling('nail')).toEqual([])
  })

  it('allows two errors only in a long word', () => {
    const vocabulary = words('kubernetes', 'issue')
    expect(vocabulary.resembling('kubernets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('kubrenets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('isu')).toEqual([])
  })

  it('finds the same terms regardless of the order in which they were added', async () => {
    const term = fc.stringMatching(/^ab[a-c]{2,4}$/)
    await checkProperty(
      fc.property(fc.uniqueArray(term, { maxLength: 30, size: 'max' }), (terms) => {
        const one = words(...terms)
        const other = words(...terms.toReversed())
        for (const word of ['ab', 'aba', 'abab', 'ababc', 'abcabcab']) {
          expect(one.startingWith(word)).toEqual(other.startingWith(word))
          expect(one.resembling(word)).toEqual(other.resembling(word))
        }
      }),
    )
  })
})
