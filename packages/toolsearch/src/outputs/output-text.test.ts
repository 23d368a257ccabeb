import { describe, expect, it } from 'vitest'
import { errorText, outputText } from './output-text.ts'

const cycle: Record<string, unknown> = {}
cycle.self = cycle

describe('outputText', () => {
  it.each([
    ['a string', 'done', 'done'],
    ['an object', { ok: true }, '{"ok":true}'],
    ['undefined', undefined, ''],
    ['a function', () => 1, ''],
  ])('writes %s as text', (_, output, text) => {
    expect(outputText(output)).toEqual({ text, isError: false })
  })

  it.each([
    ['an Error', new Error('disk full'), 'disk full'],
    ['a cycle', cycle, 'cannot be written as JSON: Converting circular structure'],
    ['a bigint', 1n, 'cannot be written as JSON'],
  ])('marks %s as an error', (_, output, text) => {
    const result = outputText(output)
    expect(result.isError).toBe(true)
    expect(result.text).toContain(text)
  })
})

describe('errorText', () => {
  it.each([
    ['an Error', new Error('disk full'), 'disk full'],
    ['an Error without a message', new RangeError(), 'RangeError'],
    ['a string', 'disk full', 'disk full'],
    ['an object with a message', { code: -32600, message: 'disk full' }, 'disk full'],
    ['null', null, 'null'],
    ['an object without a prototype', Object.create(null), 'Unknown error'],
  ])('returns the message of %s', (_, error, text) => {
    expect(errorText(error)).toBe(text)
  })
})
