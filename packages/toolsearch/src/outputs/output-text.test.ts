import { describe, expect, it } from 'vitest'
import { dataText, errorText } from './output-text.ts'

const cycle: Record<string, unknown> = {}
cycle.self = cycle

function* generate() {
  yield 1
}

describe('dataText', () => {
  it.each([
    ['an object', { ok: true }, '{"ok":true}'],
    ['undefined', undefined, ''],
    ['null', null, 'null'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['an empty object', {}, '{}'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['a nested error', { problem: new Error('disk full') }, '{"problem":"disk full"}'],
  ])('writes %s as JSON', (_, output, text) => {
    expect(dataText(output)).toEqual({ text, isError: false })
  })

  it.each<[string, unknown, string]>([
    ['a cycle', cycle, 'Converting circular structure'],
    ['a bigint', 1n, 'BigInt'],
    ['a function', () => 1, 'it is a function'],
    ['a symbol', Symbol('x'), 'it is a symbol'],
    ['a Map', new Map([['a', 1]]), 'a value of type Map'],
    ['a nested Set', { rows: new Set([1]) }, 'the field "rows" of type Set'],
    ['a generator', generate(), 'of type Generator'],
    ['a Response', new Response('x'), 'of type Response'],
    ['a Promise', { later: Promise.resolve(1) }, 'of type Promise'],
    ['bytes', Buffer.from('abc'), 'bytes without a media type'],
  ])('says that %s cannot be written', (_, output, text) => {
    const result = dataText(output)
    expect(result.isError).toBe(true)
    expect(result.text).toContain('cannot be written as JSON')
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
