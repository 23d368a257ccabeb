import { describe, expect, it } from 'vitest'
import { jsonAnswer } from './search-answer.ts'

describe('jsonAnswer', () => {
  it('returns the data and its JSON as text', () => {
    const data = { query: 'ä', list: [1, null] }
    expect(jsonAnswer(data)).toEqual({
      text: '{"query":"ä","list":[1,null]}',
      data,
      isError: false,
    })
  })

  it('can be an error', () => {
    expect(jsonAnswer({ error: 'x' }, { isError: true }).isError).toBe(true)
  })

  it('can be indented', () => {
    expect(jsonAnswer({ a: 1 }, { indent: 2 }).text).toBe('{\n  "a": 1\n}')
  })
})
