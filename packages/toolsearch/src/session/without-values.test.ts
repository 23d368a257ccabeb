import { describe, expect, it } from 'vitest'
import { withoutValues } from './without-values.ts'

describe('withoutValues', () => {
  it.each([
    ['Approve invoice 7 now', 'Approve invoice now'],
    ['Approve invoice #2024-17 of $1,200.50', 'Approve invoice of'],
    ['Send "See you at noon" to ann@example.com', 'Send to'],
    ["Create a file named 'my notes', don't ask", "Create a file named , don't ask"],
    ['Run `npm test` here', 'Run here'],
    ['Read https://example.com/a?b=1 now', 'Read now'],
    ['Meet at 10:30 on 2026-11-18', 'Meet at on'],
    ['Rotate it by 90%', 'Rotate it by'],
    // names stay
    ['Call "invoice_approve" and `photo_archive`', 'Call "invoice_approve" and `photo_archive`'],
    ['Use s3 and base64', 'Use s3 and base64'],
    ['refund pay_7', 'refund pay_7'],
    // nothing but values
    ['42', '42'],
    ['"What is this?"', '"What is this?"'],
    ['', ''],
  ])('turns %j into %j', (text, words) => {
    expect(withoutValues(text).replace(/\s+/g, ' ').trim()).toBe(words)
  })
})
