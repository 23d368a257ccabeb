import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import { wordFrequencies } from './catalogue-words.ts'
import { suggestQuery } from './suggest-query.ts'

const tool = (name: string, description = ''): Tool => readDefinition({ name, description })
const others = Array.from({ length: 40 }, (_, at) => tool(`get_thing_${at}`, 'Get something'))
const leave = [
  tool('request_leave', 'Request days off. Needs an approval.'),
  tool('cancel_leave', 'Cancel days off'),
  tool('get_weather', 'Get the weather of a day'),
]
const tools = [...others, ...leave]

describe('suggestQuery', () => {
  it.each<[string, string, readonly Tool[], string | undefined]>([
    ['words of several tools, in the order of a name', 'leave early', leave, 'request leave'],
    ['no words that have nothing to do with the query', 'bake a cake', leave, undefined],
    ['nothing for a word that relates to anything', 'get me out of here', others, undefined],
    ['nothing for a query without words', '¿? +++', leave, undefined],
    ['nothing without further tools', 'leave early', [], undefined],
    ['nothing for the words of a single tool', 'leave early', leave.slice(0, 1), undefined],
  ])('suggests %s', (_, query, next, expected) => {
    expect(suggestQuery(query, next, wordFrequencies(tools))).toBe(expected)
  })

  it('uses the word of the tools for a synonym in the query', () => {
    const next = [tool('delete_row'), tool('delete_column')]
    expect(suggestQuery('erase it', next, wordFrequencies([...tools, ...next]))).toBe('delete row')
  })

  it('does not combine synonyms', () => {
    const next = [tool('create_add_sheet'), tool('create_add_chart')]
    expect(suggestQuery('create', next, wordFrequencies([...tools, ...next]))).toBe('create sheet')
  })

  it('suggests no fragments of a script without spaces', () => {
    const next = [tool('a_leave', '请假申请'), tool('b_leave', '请假取消')]
    expect(suggestQuery('请假 leave', next, wordFrequencies([...tools, ...next]))).toBeUndefined()
  })

  it('reads only the beginning of a query that is a whole document', () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `word${at}x`).join(' ')
    expect(suggestQuery(`leave ${words}`, leave, wordFrequencies(tools))).toBe('request leave')
    expect(suggestQuery(`${words} leave`, leave, wordFrequencies(tools))).toBeUndefined()
  })

  it('works for catalogues of thousands of tools', () => {
    const many = Array.from({ length: 9_001 }, (_, at) => tool(`do_thing_${at}`))
    expect(suggestQuery('leave early', leave, wordFrequencies([...many, ...leave]))).toBe(
      'request leave',
    )
  })
})
