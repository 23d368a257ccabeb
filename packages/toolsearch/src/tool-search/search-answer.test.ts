import { describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import { type Answer, checkedAnswer, jsonAnswer } from './search-answer.ts'

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

describe('checkedAnswer', () => {
  it('returns an answer as it is', () => {
    const answer = jsonAnswer({ a: 1 })
    expect(checkedAnswer(answer)).toBe(answer)
  })

  it.each<[unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['two tools', '"two tools"'],
    [{ data: 1 }, '{"data":1}'],
    [{ text: 7 }, '{"text":7}'],
    [Promise.resolve(jsonAnswer(1)), 'a promise'],
  ])('says that a result format returned %j', (answer, shown) => {
    const check = () => checkedAnswer(answer as Answer)
    expect(check).toThrow(InvalidOptionError)
    expect(check).toThrow(`the result of result() is ${shown}; return an object with text`)
  })
})
