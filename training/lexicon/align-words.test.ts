import { describe, expect, it } from 'vitest'
import { alignWords, NOTHING } from './align-words.ts'
import { chooseEntries } from './choose-entries.ts'
import { foreignTerms, plainForm } from './terms-of.ts'

const LINES = [
  ['die datei', 'file'],
  ['die datei lesen', 'read file'],
  ['die mail lesen', 'read mail'],
  ['die mail', 'mail'],
  ['die datei suchen', 'search file'],
  ['die mails suchen', 'search mail'],
] as const

const alignment = alignWords(
  LINES.map(([foreign, english]) => ({
    foreign: foreign.split(' '),
    english: english.split(' '),
  })),
  { rounds: 6 },
)

function bestFor(word: string): string {
  const { english } = alignment.get(word)!
  return [...english].sort(([, a], [, b]) => b - a)[0]![0]
}

describe('alignWords', () => {
  it('finds the English word that goes with a foreign one', () => {
    expect(['datei', 'lesen', 'suchen'].map(bestFor)).toEqual(['file', 'read', 'search'])
  })

  it('finds that a word in every line translates nothing', () => {
    expect(bestFor('die')).toBe(NOTHING)
  })

  it('counts each occurrence once', () => {
    expect(alignment.get('die')!.count).toBeCloseTo(6)
    expect(alignment.get('lesen')!.count).toBeCloseTo(2)
  })
})

describe('chooseEntries', () => {
  const entries = new Map(
    chooseEntries([alignment], {
      minCount: 1,
      minLongRunCount: 1,
      minShare: 0.4,
      minStemShare: 0.4,
      minRunShare: 0.4,
      minCharacterShare: 0.4,
      function: { minCount: 100, maxShare: 0 },
    }).map(({ key, english }) => [key, english]),
  )

  it('keeps words with a sure translation, and function words as nothing', () => {
    expect(entries.get('datei')).toBe('file')
    expect(entries.get('die')).toBe(NOTHING)
  })

  it('leaves out words that are the same in English, and adds the stem of several forms', () => {
    expect(entries.has('mail')).toBe(false)
    expect(entries.get('mail*')).toBe('mail')
  })
})

describe('terms', () => {
  it('are words without accents, and runs of characters in scripts without spaces', () => {
    expect(foreignTerms('Öffne {name} config.json')).toEqual(['offne'])
    expect(foreignTerms('打开')).toEqual(['打', '打开', '开'])
  })

  it.each([
    ['files', 'file'],
    ['queries', 'query'],
    ['searches', 'search'],
    ['status', 'status'],
    ['containers', 'container'],
    ['process', 'process'],
  ])('reduce %j to %j', (word, plain) => {
    expect(plainForm(word)).toBe(plain)
  })
})
