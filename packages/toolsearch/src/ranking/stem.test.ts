import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

describe('stem', () => {
  it.each([
    ['message', ['messages', 'messaging', 'messaged']],
    ['file', ['files', 'filing', 'filed']],
    ['create', ['creates', 'creating', 'created', 'creation', 'creations']],
    ['delete', ['deletes', 'deleting', 'deleted', 'deletion']],
    ['translate', ['translates', 'translating', 'translation', 'translations']],
    ['search', ['searches', 'searching', 'searched']],
    ['query', ['queries', 'querying', 'queried']],
    ['copy', ['copies', 'copying', 'copied']],
    ['movie', ['movies']],
    ['box', ['boxes']],
    ['address', ['addresses', 'addressing', 'addressed']],
    ['cache', ['caches', 'caching', 'cached']],
    ['status', ['statuses']],
    ['key', ['keys']],
    ['user', ['users']],
    ['plan', ['plans', 'planning', 'planned']],
    ['run', ['runs', 'running']],
    ['call', ['calls', 'calling', 'called']],
    ['pass', ['passes', 'passing', 'passed']],
    ['play', ['plays', 'playing', 'played']],
    ['type', ['types', 'typing', 'typed']],
    ['release', ['releases', 'releasing', 'released']],
    ['add', ['adds', 'adding', 'added']],
  ])('brings %s and its other forms together', (word, forms) => {
    expect(forms.map(stem)).toEqual(forms.map(() => stem(word)))
  })

  it.each([
    ['string', 'str'],
    ['thing', 'th'],
    ['status', 'statu'],
    ['class', 'clas'],
    ['user', 'us'],
    ['data', 'date'],
    ['file', 'fill'],
    ['test', 'text'],
    ['list', 'lists3'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(stem(one)).not.toBe(stem(other))
  })

  it.each(['a', 'bus', 'red', '天气', 'größen', 'файлы', 'naïves', 's3', 'utf8s', '', 'Files'])(
    'leaves %j as it is',
    (word) => {
      expect(stem(word)).toBe(word)
    },
  )

  it('leaves something of every word, and never makes it longer', () => {
    const ending = fc.constantFrom('', 's', 'es', 'ies', 'ing', 'ed', 'ion', 'tion', 'y', 'e')
    const word = fc.tuple(fc.stringMatching(/^[a-z]{0,6}$/), ending).map((parts) => parts.join(''))
    fc.assert(
      fc.property(word, (text) => {
        const short = stem(text)
        expect(short.length).toBeLessThanOrEqual(text.length)
        expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, 2))
      }),
    )
  })

  it('takes a megabyte of letters', () => {
    for (const unit of ['a', 's', 'ing', 'e']) {
      expect(stem(unit.repeat(1_000_000 / unit.length)).length).toBeGreaterThan(900_000)
    }
  })
})
