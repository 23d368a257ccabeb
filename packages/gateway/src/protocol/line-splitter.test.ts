import { describe, expect, it } from 'vitest'
import { createLineSplitter } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes = 1_000) {
  const lines: string[] = []
  const skipped: [string, string, number][] = []
  const splitter = createLineSplitter({
    maxBytes,
    onLine: (line) => lines.push(line),
    onSkipped: (...what) => skipped.push(what),
  })
  for (const chunk of chunks) splitter.push(chunk)
  return { lines, skipped }
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...chunks, bytes.subarray(at)]
}

describe('createLineSplitter', () => {
  it('skips a line that is too long, reports its beginning and end, and continues', () => {
    const long = `{"id":1,${'x'.repeat(50_000)}}`
    const bytes = Buffer.from(`before\n${long}\nafter\n`)
    for (const size of [1, 100, 5_000, 100_000]) {
      const { lines, skipped } = split(cut(bytes, Array(Math.ceil(bytes.length / size)).fill(size)))
      expect(lines).toEqual(['before', 'after'])
      expect(skipped).toHaveLength(1)
      const [head, tail, length] = skipped[0]!
      expect([head.slice(0, 8), tail.slice(-2), length]).toEqual(['{"id":1,', 'x}', long.length])
    }
  })

  it('accepts a line that is exactly as long as the limit', () => {
    const exact = 'x'.repeat(1_000)
    expect(split([Buffer.from(`${exact}\n`)]).lines).toEqual([exact])
    expect(split(cut(Buffer.from(`${exact}\n`), [10, 500])).lines).toEqual([exact])
    expect(split([Buffer.from(`${exact}x\n`)]).skipped).toHaveLength(1)
  })

  it('skips a line with very many values, but not one with a text that looks like them', () => {
    const values = `{"id":1,"a":[${'[],'.repeat(300_000)}0]}`
    const text = JSON.stringify({ id: 2, a: '"[],\\'.repeat(600_000) })
    const bytes = Buffer.from(`${values}\n${text}\n`)
    const { lines, skipped } = split(cut(bytes, Array(200).fill(65_536)), 64_000_000)
    expect(skipped.map(([head]) => head.slice(0, 8))).toEqual(['{"id":1,'])
    expect(lines).toEqual([text])
  })

  it('skips a line with very many different keys, but not one that repeats its keys', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, i) => [`key ${i}`, i])
    const different = JSON.stringify({ id: 1, a: Object.fromEntries(keys(100_000)) })
    const few = JSON.stringify({ id: 2, a: Object.fromEntries(keys(10_000)) })
    const rows = JSON.stringify({ id: 3, a: Array(40_000).fill({ id: 1, 'a "name"': 2, c: 3 }) })
    const bytes = Buffer.from(`${different}\n${few}\n${rows}\n`)
    const { lines, skipped } = split(cut(bytes, Array(200).fill(65_536)), 64_000_000)
    expect(skipped.map(([head]) => head.slice(0, 8))).toEqual(['{"id":1,'])
    expect(lines.map((line) => line.slice(0, 8))).toEqual(['{"id":2,', '{"id":3,'])
  })

  it('decodes characters whose bytes arrive in different chunks', () => {
    const text = 'ä€😀'.repeat(100)
    const chunks = [...Buffer.from(`${text}\n${text}\n`)].map((byte) => Buffer.from([byte]))
    expect(split(chunks, 5_000).lines).toEqual([text, text])
    const long = cut(Buffer.from(`${text}😀\n${text}\n`), [901, 1])
    expect(split(long, 900)).toMatchObject({
      lines: [text],
      skipped: [[expect.any(String), expect.any(String), 904]],
    })
  })
})
