import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
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
  ])('returns the same stem for %s and its other forms', (word, forms) => {
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
  ])('returns different stems for %s and %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other))
  })

  it.each(['a', 'bus', 'red', '天气', 'größen', 'файлы', 'naïves', 's3', 'utf8s', '', 'Files'])(
    'returns %j unchanged',
    (word) => {
      expect(stem(word)).toBe(word)
    },
  )

  it('never returns an empty or a longer word', async () => {
    const ending = fc.constantFrom('', 's', 'es', 'ies', 'ing', 'ed', 'ion', 'tion', 'y', 'e')
    const word = fc.tuple(fc.stringMatching(/^[a-z]{0,6}$/), ending).map((parts) => parts.join(''))
    await checkProperty(
      fc.property(word, (text) => {
        const short = stem(text)
        expect(short.length).toBeLessThanOrEqual(text.length)
        expect(short.length).toBeGreaterThanOrEqual(Math.min(text.length, 2))
      }),
    )
  })

  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['bled', 'bled'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['troubled', 'troubl'],
    ['sized', 'size'],
    ['hopping', 'hop'],
    ['tanned', 'tan'],
    ['falling', 'fall'],
    ['hissing', 'hiss'],
    ['fizzed', 'fizz'],
    ['failing', 'fail'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['conditional', 'condit'],
    ['rational', 'ration'],
    ['digitizer', 'digit'],
    ['differently', 'differ'],
    ['vietnamization', 'vietnam'],
    ['predication', 'predic'],
    ['operator', 'oper'],
    ['feudalism', 'feudal'],
    ['decisiveness', 'decis'],
    ['hopefulness', 'hope'],
    ['callousness', 'callous'],
    ['formality', 'formal'],
    ['sensitivity', 'sensit'],
    ['triplicate', 'triplic'],
    ['formative', 'form'],
    ['formalize', 'formal'],
    ['electricity', 'electr'],
    ['electrical', 'electr'],
    ['hopeful', 'hope'],
    ['goodness', 'good'],
    ['revival', 'reviv'],
    ['allowance', 'allow'],
    ['inference', 'infer'],
    ['airliner', 'airlin'],
    ['gyroscopic', 'gyroscop'],
    ['adjustable', 'adjust'],
    ['defensible', 'defens'],
    ['irritant', 'irrit'],
    ['replacement', 'replac'],
    ['adjustment', 'adjust'],
    ['dependent', 'depend'],
    ['adoption', 'adopt'],
    ['communism', 'commun'],
    ['activate', 'activ'],
    ['effective', 'effect'],
    ['probate', 'probat'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['controlling', 'control'],
    ['roll', 'roll'],
  ])('stems %s to %s, as in the paper', (word, short) => {
    expect(stem(word)).toBe(short)
  })

  it('accepts a megabyte of letters', () => {
    for (const unit of ['a', 's', 'ing', 'e']) {
      expect(stem(unit.repeat(1_000_000 / unit.length)).length).toBeGreaterThan(900_000)
    }
  })
})
