import { describe, expect, it } from 'vitest'
import { unified } from '../presets/unified/unified.ts'
import { readArguments } from './read-arguments.ts'

describe('readArguments', () => {
  it.each<[string, unknown, number]>([
    ['5 by default', { query: 'x' }, 5],
    ['max_results', { query: 'x', max_results: 7 }, 7],
    ['top_k', { query: 'x', top_k: 8 }, 8],
    ['max_results before top_k', { query: 'x', top_k: 8, max_results: 7 }, 7],
    ['top_k where max_results is null', { query: 'x', top_k: 8, max_results: null }, 8],
    ['max_results as text', { query: 'x', max_results: '7' }, 7],
    ['top_k as text', { query: 'x', top_k: '12' }, 12],
    ['a whole number with a point', { query: 'x', max_results: '7.0' }, 7],
    ['25 at most', { query: 'x', max_results: 26 }, 25],
    ['25 at most, as text', { query: 'x', top_k: '1000' }, 25],
    ['1 at least', { query: 'x', max_results: 0 }, 1],
    ['the default for a number below zero', { query: 'x', max_results: -3 }, 5],
    ['the default for a part of one', { query: 'x', max_results: 2.5 }, 5],
    ['the default for a word', { query: 'x', max_results: 'many' }, 5],
    ['the default for an empty text', { query: 'x', max_results: '' }, 5],
    ['the default for a boolean', { query: 'x', max_results: true }, 5],
    ['the default for a list', { query: 'x', max_results: [] }, 5],
    ['the default for an object', { query: 'x', max_results: {} }, 5],
    ['the default for what is no number', { query: 'x', max_results: Number.NaN }, 5],
    ['the default without end', { query: 'x', max_results: Number.POSITIVE_INFINITY }, 5],
    ['the default for a name it does not know', { query: 'x', limit: 9 }, 5],
  ])('takes as the limit %s', (_, input, limit) => {
    expect(readArguments(input, unified)).toEqual({ query: 'x', limit })
  })

  it('reads arguments given as JSON text', () => {
    expect(readArguments('{"query":"read file","max_results":"3"}', unified)).toEqual({
      query: 'read file',
      limit: 3,
    })
  })

  it('hands the query on as it was written', () => {
    expect(readArguments({ query: '  +Git "log"\n' }, unified)).toMatchObject({
      query: '  +Git "log"\n',
    })
    expect(readArguments({ query: '' }, unified)).toMatchObject({ query: '' })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no query', {}],
    ['a number for a query', { query: 7 }],
    ['null for a query', { query: null }],
    ['a list of queries', { query: ['a', 'b'] }],
    ['a list', [{ query: 'a' }]],
    ['broken JSON', '{"query": "a"'],
    ['text that is no JSON', 'read file'],
    ['JSON that is no object', '"read file"'],
    ['JSON of null', 'null'],
  ])('refuses %s with a message for the model', (_, input) => {
    expect(readArguments(input, unified)).toEqual({
      problem: { code: 'invalid_arguments', message: expect.stringContaining('"query"') },
    })
  })

  it('takes a missing query for a blank one where the syntax says so', () => {
    const syntax = { ...unified.syntax, badQuery: 'blank' } as const
    const behaviour = { syntax, selection: unified.selection }
    expect(readArguments({ max_results: 3 }, behaviour)).toEqual({ query: '', limit: 3 })
    expect(readArguments('{', behaviour)).toEqual({ query: '', limit: 5 })
  })

  it('refuses a bad limit where the selection says so, and names the argument', () => {
    const selection = { ...unified.selection, badLimit: 'error' } as const
    const behaviour = { syntax: unified.syntax, selection }
    expect(readArguments({ query: 'x', top_k: 'many' }, behaviour)).toEqual({
      problem: {
        code: 'invalid_arguments',
        message: 'invalid args: "top_k" must be a whole number from 0 up',
      },
    })
    expect(readArguments({ query: 'x' }, behaviour)).toEqual({ query: 'x', limit: 5 })
    expect(readArguments({ query: 'x', top_k: 3 }, behaviour)).toEqual({ query: 'x', limit: 3 })
  })
})
