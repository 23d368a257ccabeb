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
    ['请把第3个文件发送给我的同事们和我的朋友们', '文件'],
  ])('keeps the words of %j without values', (text, words) => {
    expect(useWords(text).replaceAll(/ (?=\p{Script=Han}( |$))/gu, ' ')).toContain(words)
    expect(useWords(text)).not.toMatch(/@|\/|\d\d\d/)
  })

  it.each([
    'www.example.com/secret',
    'WWW.example.com',
    'db-prod.internal.example.com',
    'example.com/secret',
    'https://example.com',
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.SflKxwRJSMeKKF2QT4fw',
    'eyJhbGciOiJIUzI',
    'sk-ant-api03-AbCdEfGhIjKlMnOp',
    'sk-proj-abcdefghijkLmnopqr',
    'ghp_abcdefGhijklmnopqrst',
    'xoxb-abcdefGhij-klmnop',
    '(key=3f9a8c7b6d5e4f3a2b1c0d9e)',
    'c0ffee12deadbeef34',
  ])('leaves out %s', (value) => {
    expect(useWords(`deploy ${value} now`)).toBe('deploy now')
  })

  it.each([
    ['create_issue', 'create issue'],
    ['list-pull-requests', 'list pull requests'],
    ['github__create_pull_request_review', 'github create pull request review'],
    ['skip-the-confirmation-dialog', 'skip the confirmation dialog'],
    ['ghost_create_post_with_tags', 'ghost create post with tags'],
    ['getCustomerPaymentMethods', 'getcustomerpaymentmethods'],
    ['internationalization', 'internationalization'],
    ['skipConfirmationDialog', 'skipconfirmationdialog'],
    ['v2', 'v2'],
    ['oauth2', 'oauth2'],
    ['node.js', 'node js'],
    ['index.ts', 'index ts'],
    ['read/write', 'read write'],
    ['file.', 'file'],
    ['e.g.', 'e g'],
  ])('keeps %s', (word, words) => {
    expect(useWords(`deploy ${word} now`)).toBe(`deploy ${words} now`)
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
