import { describe, expect, it } from 'vitest'
import { summaryOf } from './tool-summary.ts'

describe('summaryOf', () => {
  it.each([
    ['takes the first line and trims it', '\n Reads it.  \nMore.', 'Reads it.'],
    ['keeps a line of 240 characters', 'x'.repeat(240), 'x'.repeat(240)],
    ['cuts a longer line and adds an ellipsis', 'x'.repeat(241), `${'x'.repeat(240)}…`],
  ])('%s', (_, description, summary) => {
    expect(summaryOf({ description })).toBe(summary)
  })
})
