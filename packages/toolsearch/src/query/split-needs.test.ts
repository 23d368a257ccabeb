import { describe, expect, it } from 'vitest'
import { splitNeeds } from './split-needs.ts'

const twelve = 'one two three four five six seven eight nine ten eleven twelve'

describe('splitNeeds', () => {
  it.each<[why: string, text: string, needs: readonly string[]]>([
    ['an empty text', '', []],
    ['white space', ' \n\t ', []],
    ['a short text of two clauses', 'book a room and then mail the invitation', []],
    ['twelve words in two clauses', 'a b c d e and f g h i j k', []],
    ['twelve words with much white space', '  a   b c d e and f g h i\n\nj  k ', []],
    [
      'thirteen words in two clauses',
      'a b c d e and f g h i j k l',
      ['a b c d e', 'f g h i j k l'],
    ],
    ['a long text of one clause', `${twelve} thirteen fourteen`, []],
    [
      'the example in the documentation',
      'Book a room for Friday at nine in the Berlin office and then mail the invitation to all',
      ['Book a room for Friday at nine in the Berlin office', 'mail the invitation to all'],
    ],
    [
      'sentences',
      'Find the cheapest flight to Rome. Is it raining there? Tell my boss about it!',
      ['Find the cheapest flight to Rome', 'Is it raining there', 'Tell my boss about it'],
    ],
    [
      'lines and semicolons',
      'read the whole log file;count all the errors\nwrite a short report about them',
      ['read the whole log file', 'count all the errors', 'write a short report about them'],
    ],
    [
      'commas',
      'look up the weather, translate it into French, send it to my brother',
      ['look up the weather', 'translate it into French', 'send it to my brother'],
    ],
    [
      'clauses that are too short, which it leaves out',
      'Please, now, look up the weather in Paris and go, then translate it into French',
      ['look up the weather in Paris', 'translate it into French'],
    ],
    [
      'a long text with only one clause of sufficient length',
      `Hello there. ${twelve}. Thank you.`,
      [],
    ],
    [
      'words that only begin or end with “and” or “then”',
      'draw an android sitting in the sand near a band with brand new thenceforth hands',
      [],
    ],
    [
      'a number with a comma in it',
      'transfer 1,000 euros to the landlord account and write down the new balance today',
      ['transfer 1,000 euros to the landlord account', 'write down the new balance today'],
    ],
  ])('handles %s', (_, text, needs) => {
    expect(splitNeeds(text)).toEqual(needs)
  })

  it.each([
    [
      'a file name',
      'open the file config.json in the editor and replace the old port by another one',
      ['open the file config.json in the editor', 'replace the old port by another one'],
    ],
    [
      'a version',
      'install release 3.5 of the database server and restart every worker of the cluster',
      ['install release 3.5 of the database server', 'restart every worker of the cluster'],
    ],
  ])('does not split %s', (_, text, needs) => {
    expect(splitNeeds(text)).toEqual(needs)
  })

  it('returns at most twelve needs', () => {
    const sentences = Array.from({ length: 30 }, (_, i) => `do thing ${i}`)
    expect(splitNeeds(sentences.join('. '))).toEqual(sentences.slice(0, 12))
  })

  it('finds no need in a page of punctuation', () => {
    expect(splitNeeds('. ; , ! ? and then '.repeat(1_000))).toEqual([])
  })
})
