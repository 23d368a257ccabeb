import { describe, expect, it } from 'vitest'
import { jsonAnswer } from './search-answer.ts'

describe('jsonAnswer', () => {
  it('is the data and its JSON, and no error', () => {
    const data = { query: 'ä', list: [1, null] }
    expect(jsonAnswer(data)).toEqual({
      text: '{"query":"ä","list":[1,null]}',
      data,
      isError: false,
    })
  })

  it('is an error when told so', () => {
    expect(jsonAnswer({ error: 'x' }, { isError: true }).isError).toBe(true)
  })

  it('is indented when told so', () => {
    expect(jsonAnswer({ a: 1 }, { indent: 2 }).text).toBe('{\n  "a": 1\n}')
  })
})
