import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readModel } from './model-file.ts'
import { REFERENCE_VECTORS } from './reference-vectors.fixtures.ts'
import { createSentenceEncoder } from './sentence-encoder.ts'

const model = readModel(readFileSync(new URL('../data/model.bin', import.meta.url)))
const encoder = createSentenceEncoder(model)

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, v, i) => sum + v * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

function floats(base64: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  return new Float32Array(bytes.buffer)
}

describe('createSentenceEncoder', () => {
  it.each(REFERENCE_VECTORS)(
    'returns nearly the vector of the original model for %j',
    (text, vector) => {
      expect(cosine(encoder.encode([text])[0]!, floats(vector))).toBeGreaterThan(0.999)
    },
  )

  it('returns the same vectors for texts together as for each alone', () => {
    const texts = REFERENCE_VECTORS.map(([text]) => text)
    const together = encoder.encode(texts)
    for (const [at, text] of texts.entries()) {
      expect(cosine(together[at]!, encoder.encode([text])[0]!)).toBeGreaterThan(0.99999)
    }
  })

  it('finds a paraphrase more similar than another subject', () => {
    const [query, same, other] = encoder.encode([
      'give the customer their money back',
      'Refund a payment',
      'Rotate an image by 90 degrees',
    ])
    expect(cosine(query!, same!)).toBeGreaterThan(cosine(query!, other!))
  })

  it('tells texts apart that consist of the same words', () => {
    const [a, b] = encoder.encode([
      'copy from the server to the disk',
      'copy from the disk to the server',
    ])
    expect(cosine(a!, b!)).toBeLessThan(0.9999)
  })

  it.each([
    ['an empty text', ''],
    ['a space', ' '],
    ['an emoji', '🚀'],
    ['Japanese', '天気を調べる'],
    ['lone surrogates', '\ud800 lone \udc00 surrogates'],
    ['more words than the model reads', 'word '.repeat(5_000)],
    ['a word of 100,000 letters', 'a'.repeat(100_000)],
    ['invisible characters', '\u0000\u200b\ufeff mail'],
  ])('returns a vector of length one for %s', (_, text) => {
    const [vector] = encoder.encode([text])
    expect(vector).toHaveLength(encoder.dimensions)
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 5)
  })

  it('encodes more word pieces than fit into one batch', () => {
    const texts = Array.from({ length: 9 }, (_, at) => `${'send a message '.repeat(20)}${at}`)
    expect(encoder.encode(texts)).toHaveLength(9)
  })

  it('returns nothing for no texts', () => {
    expect(encoder.encode([])).toEqual([])
  })
})
