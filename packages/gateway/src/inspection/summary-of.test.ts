import { expect, it } from 'vitest'
import { summaryOf } from './summary-of.ts'

it.each([
  ['the first line', '\n Reads it.  \nMore.', 'Reads it.'],
  ['all that fits', 'x'.repeat(240), 'x'.repeat(240)],
  ['most of a long one, and says so', 'x'.repeat(241), `${'x'.repeat(240)}…`],
])('gives %s', (_, description, summary) => {
  expect(summaryOf({ description })).toBe(summary)
})
