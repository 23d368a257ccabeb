import { describe, expect, it } from 'vitest'
import { unified } from '../presets/unified/unified.ts'
import { limitFrom, withOptionalQuery, withStrictLimit } from './read-arguments.ts'

const { readArguments: read, selection } = unified

describe('reading the arguments of a search', () => {
  it.each<[string, unknown, number]>([
    ['the default of 5', { query: 'x' }, 5],
    ['max_results', { query: 'x', max_results: 7 }, 7],
    ['top_k', { query: 'x', top_k: 8 }, 8],
    ['max_results rather than top_k', { query: 'x', top_k: 8, max_results: 7 }, 7],
    ['top_k if max_results is null', { query: 'x', top_k: 8, max_results: null }, 8],
    ['max_results sent as a string', { query: 'x', max_results: '7' }, 7],
    ['top_k sent as a string', { query: 'x', top_k: '12' }, 12],
    ['an integer written with a decimal point', { query: 'x', max_results: '7.0' }, 7],
    ['at most 25', { query: 'x', max_results: 26 }, 25],
    ['at most 25, if sent as a string', { query: 'x', top_k: '1000' }, 25],
    ['at least 1', { query: 'x', max_results: 0 }, 1],
    ['the default for a negative number', { query: 'x', max_results: -3 }, 5],
    ['the default for a fraction', { query: 'x', max_results: 2.5 }, 5],
    ['the default for a word', { query: 'x', max_results: 'many' }, 5],
    ['the default for an empty string', { query: 'x', max_results: '' }, 5],
    ['the default for a boolean', { query: 'x', max_results: true }, 5],
    ['the default for an array', { query: 'x', max_results: [] }, 5],
    ['the default for an object', { query: 'x', max_results: {} }, 5],
    ['the default for NaN', { query: 'x', max_results: Number.NaN }, 5],
    ['the default for Infinity', { query: 'x', max_results: Number.POSITIVE_INFINITY }, 5],
    ['the default if the argument name is unknown', { query: 'x', limit: 9 }, 5],
  ])('reads as the limit: %s', (_, input, limit) => {
    expect(read(input, selection)).toEqual({ query: 'x', limit })
  })

  it('reads arguments sent as JSON text', () => {
    expect(read('{"query":"read file","max_results":"3"}', selection)).toEqual({
      query: 'read file',
      limit: 3,
    })
  })

  it('returns the query unchanged', () => {
    expect(read({ query: '  +Git "log"\n' }, selection)).toMatchObject({
      query: '  +Git "log"\n',
    })
    expect(read({ query: '' }, selection)).toMatchObject({ query: '' })
  })

  it.each([
    ['missing arguments', undefined],
    ['null', null],
    ['a missing query', {}],
    ['a number as the query', { query: 7 }],
    ['null as the query', { query: null }],
    ['a list of queries', { query: ['a', 'b'] }],
    ['an array', [{ query: 'a' }]],
    ['broken JSON', '{"query": "a"'],
    ['text that is not JSON', 'read file'],
    ['JSON that is not an object', '"read file"'],
    ['the JSON text null', 'null'],
  ])('rejects %s with a message for the model', (_, input) => {
    expect(read(input, selection)).toEqual({
      problem: { code: 'invalid_arguments', message: expect.stringContaining('"query"') },
    })
  })

  it('treats a missing query as blank if it is optional', () => {
    const read = withOptionalQuery(limitFrom('max_results'))
    expect(read({ max_results: 3 }, selection)).toEqual({ query: '', limit: 3 })
    expect(read('{', selection)).toEqual({ query: '', limit: 5 })
    expect(read('{"query":"read file"}', selection)).toEqual({ query: 'read file', limit: 5 })
  })

  it('rejects an invalid limit if it is strict, naming the argument', () => {
    const strict = withStrictLimit('top_k', limitFrom('top_k'))
    expect(strict({ query: 'x', top_k: 'many' }, selection)).toEqual({
      problem: {
        code: 'invalid_arguments',
        message: 'invalid args: "top_k" must be a non-negative integer',
      },
    })
    for (const top_k of ['3', -1, 1.5, true, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(strict({ query: 'x', top_k }, selection)).toHaveProperty('problem')
    }
    expect(strict({ query: 'x' }, selection)).toEqual({ query: 'x', limit: 5 })
    expect(strict({ query: 'x', top_k: null }, selection)).toEqual({ query: 'x', limit: 5 })
    expect(strict({ query: 'x', top_k: 3 }, selection)).toEqual({ query: 'x', limit: 3 })
  })

  it('has a fixed limit if no argument contains one', () => {
    expect(limitFrom()({ query: 'x', max_results: 3 }, selection)).toEqual({ query: 'x', limit: 5 })
  })
})
