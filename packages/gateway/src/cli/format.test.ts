import { describe, expect, it } from 'vitest'
import { ageOf, count, listSome, shorten, wrap } from './format.ts'

describe('count', () => {
  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [22_534, '22,534 calls'],
  ])('writes %i with the right plural', (value, text) => {
    expect(count(value, 'call')).toBe(text)
  })

  it('accepts an irregular plural', () => {
    expect(count(2, 'search', 'searches')).toBe('2 searches')
  })
})

describe('shorten', () => {
  it.each([
    ['Lists the files', 20, 'Lists the files'],
    ['Lists the files', 15, 'Lists the files'],
    ['Lists the files', 12, 'Lists the…'],
    ['Lists the files', 10, 'Lists the…'],
    ['Lists, the files', 8, 'Lists…'],
    ['アカウントを作成する', 5, 'アカウン…'],
    ['supercalifragilistic', 6, 'super…'],
  ])('shortens %j to %i characters at a word', (text, width, expected) => {
    expect(shorten(text, width)).toBe(expected)
  })
})

describe('ageOf', () => {
  it.each([
    [5_000, 'less than a minute'],
    [60_000, '1 minute'],
    [200_000, '3 minutes'],
    [7_300_000, '2 hours'],
    [90_000_000, '1 day'],
  ])('%i ms are %s', (ms, age) => {
    expect(ageOf(ms)).toBe(age)
  })
})

describe('listSome', () => {
  it('counts the names that it leaves out', () => {
    expect(listSome(['a', 'b', 'c'], 3)).toBe('a, b, c')
    expect(listSome(['a', 'b', 'c', 'd'], 3)).toBe('a, b, c and 1 more')
  })
})

describe('wrap', () => {
  it.each([
    ['✓ a rather long line', '✓ a rather\n  long line'],
    ['short', 'short'],
    ['  incomprehensibilities of it', '  incomprehensibilities\n  of it'],
    ['', ''],
  ])('breaks %j between words', (text, expected) => {
    expect(wrap(text, 11, 2)).toBe(expected)
  })
})
