import { expect, it } from 'vitest'
import { firstSentence } from './first-sentence.ts'

it.each([
  ['Send an email. Needs a sign-in.', 'Send an email'],
  ['Send mail to a person, e.g. to a friend. Fast.', 'Send mail to a person, e.g. to a friend'],
  ['Reads v1.2 files', 'Reads v1.2 files'],
  ['  Read a file\n\n## Notes', 'Read a file'],
  ['Read a\nfile.', 'Read a\nfile'],
  ['获取天气。需要城市。', '获取天气'],
  ['', ''],
  ['x'.repeat(9_999), 'x'.repeat(500)],
])('firstSentence(%j)', (description, sentence) => {
  expect(firstSentence(description)).toBe(sentence)
})
