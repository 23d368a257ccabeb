import { describe, expect, it } from 'vitest'
import { revealedInText } from './revealed-in-text.ts'

describe('revealedInText', () => {
  it.each([
    ['a search', { query: 'q', loaded: [{ name: 'a', inputSchema: {} }] }, ['a']],
    [
      'a search with shortened entries',
      { query: 'q', loaded: [{ name: 'a', inputSchema: {} }, 'b'] },
      ['a', 'b'],
    ],
    ['a call before its tool was loaded', { error: 'x', name: 'a', inputSchema: {} }, ['a']],
    ['a search in a mode with references', { query: 'q', loaded: ['a'] }, []],
    ['a search without hits', { query: 'q', message: 'No matching tools.' }, []],
    ['a tool that is not ours', { loaded: [{ name: 'a', inputSchema: {} }] }, []],
  ])('returns the tools that the result of %s reveals', (_, result, names) => {
    expect(revealedInText(JSON.stringify(result))).toEqual(names)
  })

  it.each(['', 'done', '{"query":', '{"query":1,"loaded":7}', '{"query":1,"loaded":[null,{}]}'])(
    'returns no tools for the text %j',
    (text) => {
      expect(revealedInText(text)).toEqual([])
    },
  )
})
