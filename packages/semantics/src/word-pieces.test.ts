import { describe, expect, it } from 'vitest'
import { createWordPieces } from './word-pieces.ts'

const VOCABULARY = [
  'get',
  'http',
  'server',
  'create',
  'issue',
  'youtube',
  'git',
  '##hub',
  'un',
  '##afford',
  '##able',
  'cafe',
  'naive',
  '2',
  '##4',
  '24',
  's',
  '3',
  'bucket',
  'url',
  '##s',
  '東',
  '京',
  'run',
  '##ning',
  '!',
]
const wordPieces = createWordPieces(new Map(VOCABULARY.map((piece, row) => [piece, row])))
const spell = (text: string) => wordPieces(text).map((row) => VOCABULARY[row])

describe('createWordPieces', () => {
  it.each([
    ['', []],
    ['   \n\t', []],
    ['get', ['get']],
    ['GET Server', ['get', 'server']],
    ['getHTTPServer', ['get', 'http', 'server']],
    ['create_issue', ['create', 'issue']],
    ['create-issue/get.server', ['create', 'issue', 'get', 'server']],
    ['YouTube', ['youtube']],
    ['GitHub', ['git']],
    ['github', ['git', '##hub']],
    ['unaffordable', ['un', '##afford', '##able']],
    ['running', ['run', '##ning']],
    ['Café', ['cafe']],
    ['Cafe\u0301', ['cafe']],
    ['naïve!', ['naive', '!']],
    ['s3Bucket', ['s', '3', 'bucket']],
    ['URLs', ['url', '##s']],
    ['24', ['24']],
    ['東京', ['東', '京']],
    ['get🚀server', ['get', 'server']],
    ['unknowable', []],
    ['\ud800get', ['get']],
  ])('splits %j into %j', (text, pieces) => {
    expect(spell(text)).toEqual(pieces)
  })

  it('takes the longest piece that fits', () => {
    const both = createWordPieces(
      new Map([
        ['a', 0],
        ['ab', 1],
        ['##c', 2],
        ['##bc', 3],
      ]),
    )
    expect(both('abc')).toEqual([1, 2])
  })

  it('leaves out a word that is too long', () => {
    expect(spell('get'.repeat(1000))).toEqual([])
  })
})
