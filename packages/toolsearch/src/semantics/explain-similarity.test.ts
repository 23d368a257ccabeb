import { describe, expect, it } from 'vitest'
import { createSimilarityExplainer } from './explain-similarity.ts'

const vectorsOf: Record<string, readonly number[]> = {
  refund: [1, 0.2, 0],
  money: [0.8, 0, 0],
  payment: [0.9, 0.1, 0],
  card: [0.4, 0.1, 0],
  song: [0, 0, 1],
  the: [0.01, 0.01, 0.01],
}

const pieces = (text: string) =>
  text.split(' ').map((word) => ({ text: word, vector: Float32Array.from(vectorsOf[word]!) }))

const explain = createSimilarityExplainer(
  { dimensions: 3, pieces },
  ({ text }: { text: string }) => text,
)

const explainer = (query: string) => {
  const sum = new Float32Array(3)
  for (const { vector } of pieces(query)) {
    for (const [i, value] of vector.entries()) sum[i]! += value
  }
  return explain(query, sum)
}

describe('createSimilarityExplainer', () => {
  it('names the words that contribute most, best first', () => {
    const pairs = explainer('money the')({ text: 'the refund the payment card song' })
    expect(pairs.map(({ term, found }) => [term, found])).toEqual([
      ['money', 'refund'],
      ['money', 'payment'],
      ['money', 'card'],
    ])
    const shares = pairs.map(({ share }) => share)
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1)
  })

  it('counts a repeated word each time', () => {
    const [pair] = explainer('money')({ text: 'refund card card card' })
    expect(pair).toMatchObject({ found: 'card' })
  })

  it('returns no pairs for texts without similar words', () => {
    expect(explainer('money')({ text: 'song' })).toEqual([])
  })

  it('explains documents with words it has not seen before', () => {
    const explainSong = explainer('song money')
    expect(explainSong({ text: 'the' })).toHaveLength(1)
    expect(explainSong({ text: 'song' })).toMatchObject([{ term: 'song', found: 'song', share: 1 }])
  })

  it('returns no pairs if the embedder does not know single words', () => {
    const explainNothing = createSimilarityExplainer({ dimensions: 3 }, () => 'refund')
    expect(explainNothing('money', Float32Array.of(1, 0, 0))({})).toEqual([])
  })
})
