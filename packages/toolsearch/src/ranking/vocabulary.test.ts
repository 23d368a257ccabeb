import { describe, expect, it } from 'vitest'
import { createVocabulary, typingErrors } from './vocabulary.ts'

describe('createVocabulary', () => {
  const words = (...terms: string[]) => {
    const vocabulary = createVocabulary()
    for (const term of terms) vocabulary.add(term)
    return vocabulary
  }

  it('knows what was added and not deleted', () => {
    const vocabulary = words('calendar', 'mail')
    vocabulary.delete('mail')
    vocabulary.delete('never')
    expect(vocabulary.has('calendar')).toBe(true)
    expect(vocabulary.has('mail')).toBe(false)
    expect(vocabulary.has('')).toBe(false)
  })

  it('finds the terms that begin so, the shortest first and eight at most', () => {
    const vocabulary = words('channels', 'chan', 'channel', 'chat', 'machan')
    expect(vocabulary.startingWith('chan')).toEqual(['chan', 'channel', 'channels'])
    for (let i = 0; i < 20; i++) vocabulary.add(`chan${i}`)
    expect(vocabulary.startingWith('chan')).toHaveLength(8)
  })

  it('finds what was meant by a misspelt word, fewest errors first', () => {
    const vocabulary = words('calendar', 'calender2', 'mail', 'main')
    expect(vocabulary.resembling('calender')).toEqual(['calendar', 'calender2'])
    expect(vocabulary.resembling('mial')).toEqual(['mail'])
    expect(vocabulary.resembling('nail')).toEqual([])
  })

  it('takes two errors for a slip in a long word only', () => {
    const vocabulary = words('kubernetes', 'issue')
    expect(vocabulary.resembling('kubernets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('kubrenets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('isu')).toEqual([])
  })
})

describe('typingErrors', () => {
  it.each([
    ['calender', 'calendar', 1],
    ['recieve', 'receive', 1],
    ['mesage', 'message', 1],
    ['messsage', 'message', 1],
    ['same', 'same', 0],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
  ])('from %j to %j are %d', (a, b, errors) => {
    expect(typingErrors(a, b, 5)).toBe(errors)
    expect(typingErrors(b, a, 5)).toBe(errors)
  })

  it('stops counting past the most', () => {
    expect(typingErrors('completely', 'different', 2)).toBe(3)
  })
})
