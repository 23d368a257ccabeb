import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createLineSplitter } from './line-splitter.ts'

/** The lines of bytes that arrive in pieces of these sizes, and the rest at once. */
function split(bytes: Buffer, sizes: readonly number[]): string[] {
  const lines: string[] = []
  const splitter = createLineSplitter({
    maxBytes: 1_000,
    onLine: (line) => lines.push(line),
    onSkipped: () => {},
  })
  let at = 0
  for (const size of sizes) {
    splitter.push(bytes.subarray(at, at + size))
    at += size
  }
  splitter.push(bytes.subarray(at))
  return lines
}

describe('createLineSplitter', () => {
  it('returns the same lines, without blank ones, however the bytes are chunked', async () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((text) => text.replaceAll('\n', ''))
    await checkProperty(
      fc.property(fc.array(line), fc.array(fc.nat(9)), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((each) => `${each}\n`).join(''))
        expect(split(bytes, sizes)).toEqual(lines.filter((each) => each !== ''))
      }),
    )
  })
})
