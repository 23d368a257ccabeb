import { expect, it } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

const best = (typed: string, texts: readonly string[]) =>
  texts
    .map((text) => ({ text, score: fuzzyScore(typed, text) }))
    .filter(({ score }) => score !== undefined)
    .sort((a, b) => b.score! - a.score!)
    .map(({ text }) => text)

it('finds letters in order, and nothing else', () => {
  expect(best('rfp', ['refund_payment', 'fpr', 'list'])).toEqual(['refund_payment'])
})

it('prefers whole words, then beginnings of words', () => {
  expect(best('pay', ['display', 'payments__list', 'party_yes'])).toEqual([
    'payments__list',
    'party_yes',
    'display',
  ])
  expect(best('rp', ['harp_x', 'refund_payment'])[0]).toBe('refund_payment')
})

it('keeps everything if nothing is typed', () => {
  expect(fuzzyScore(' ', 'anything')).toBe(0)
})
