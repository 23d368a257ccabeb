import { describe, expect, it } from 'vitest'
import { toldTools } from './told-tools.ts'

describe('toldTools', () => {
  it.each([
    ['a search', { query: 'q', loaded: [{ name: 'a', inputSchema: {} }] }, ['a']],
    ['a long search', { query: 'q', loaded: [{ name: 'a', inputSchema: {} }, 'b'] }, ['a', 'b']],
    ['a call before its tool', { error: 'x', name: 'a', inputSchema: {} }, ['a']],
    ['a search of a mode that refers', { query: 'q', loaded: ['a'] }, []],
    ['a search that found nothing', { query: 'q', message: 'No matching tools.' }, []],
    ['somebody else', { loaded: [{ name: 'a', inputSchema: {} }] }, []],
  ])('reads a result of %s', (_, result, names) => {
    expect(toldTools(JSON.stringify(result))).toEqual(names)
  })

  it.each(['', 'done', '{"query":', '{"query":1,"loaded":7}', '{"query":1,"loaded":[null,{}]}'])(
    'finds nothing in %s',
    (text) => {
      expect(toldTools(text)).toEqual([])
    },
  )
})
