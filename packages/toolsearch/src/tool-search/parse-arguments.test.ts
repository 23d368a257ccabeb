import { describe, expect, it } from 'vitest'
import { argumentFields, parseArguments, tryParseArguments } from './parse-arguments.ts'

describe('parseArguments', () => {
  it.each<[string, unknown, unknown]>([
    ['parses JSON text', '{"path":"a"}', { path: 'a' }],
    ['returns objects unchanged', { path: 'a' }, { path: 'a' }],
    ['returns {} for undefined', undefined, {}],
    ['returns {} for null', null, {}],
    ['returns {} for an empty string', '', {}],
    ['returns {} for blank text', ' \n', {}],
    ['returns text that is not JSON unchanged', '{"path"', '{"path"'],
    ['parses JSON that is not an object', '[1]', [1]],
    ['parses the JSON text null', 'null', null],
    ['returns other values unchanged', 7, 7],
  ])('%s', (_, input, expected) => {
    expect(parseArguments(input)).toEqual(expected)
  })
})

describe('tryParseArguments', () => {
  it('reports text that is not JSON', () => {
    expect(tryParseArguments('{"path"')).toEqual({
      problem: expect.stringContaining('the arguments are not valid JSON: '),
    })
  })
})

describe('argumentFields', () => {
  it('returns an empty object for anything that is not an object', () => {
    for (const input of [undefined, null, 'not json', '7', 7, [], '[1]', 'null']) {
      expect(argumentFields(input)).toEqual({})
    }
    expect(argumentFields('{"a":1}')).toEqual({ a: 1 })
  })
})
