import { describe, expect, it } from 'vitest'
import { useTerms, useWords } from './use-words.ts'

describe('useWords', () => {
  it.each([
    ['Send an email to ada@example.com', 'send an email to'],
    ['read /home/ada/notes/today.txt please', 'read please'],
    ['open https://example.com/a?b=c', 'open'],
    ['invoice 4711 of 2026-11-17', 'invoice of'],
    ['upload to S3 with OAuth2', 'upload to s3 with oauth2'],
    ['+github "pull request"', 'github pull request'],
    ['设置壁纸', '设置 壁纸'],
  ])('keeps the words of %j without values', (text, words) => {
    expect(useWords(text).replaceAll(/ (?=\p{Script=Han}( |$))/gu, ' ')).toContain(words)
    expect(useWords(text)).not.toMatch(/@|\/|\d\d\d/)
  })

  it('is short, however long the request', () => {
    const words = useWords('word '.repeat(10_000))
    expect(words.split(' ')).toHaveLength(40)
    expect(useWords('x'.repeat(100_000)).length).toBeLessThanOrEqual(400)
  })
})

describe('useTerms', () => {
  it('ignores endings, order, repetitions and stop words', () => {
    expect(useTerms('the messages of a message')).toEqual(useTerms('message'))
  })
})
