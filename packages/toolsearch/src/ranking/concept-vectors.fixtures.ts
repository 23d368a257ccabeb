import type { TextVectors } from '../semantics/embedder.ts'

export const CONCEPTS: readonly (readonly string[])[] = [
  ['weather', 'rain', 'umbrella'],
  ['mail', 'letter', 'envelope'],
  ['invoice', 'money', 'payment'],
  ['music', 'radio', 'guitar'],
]

/** Words of one concept have the same direction, and every concept is a topic too. */
export const conceptVectors: TextVectors = {
  id: 'concepts',
  dimensions: 8,
  topics: CONCEPTS.map(([first]) => first!),
  embed(text) {
    const vector = new Float32Array(8)
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      const concept = CONCEPTS.findIndex((list) => list.includes(word))
      vector[concept < 0 ? 4 + (word.length % 4) : concept]! += concept < 0 ? 0.3 : 1
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  },
}
