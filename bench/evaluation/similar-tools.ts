import type { Tool } from 'toolsearch'
import type { TextVectors } from 'toolsearch/rankers'
import { embeddingTexts } from '../../packages/toolsearch/src/ranking/tool-fields.ts'

/** Finds tools that could do the same, so that queries without a relevant tool need no labels. */
export interface SimilarTools {
  /** Whether a tool is one of these or similar to one of them. */
  isLike(tool: Tool, others: readonly Tool[]): boolean
}

// Tools with at least this cosine similarity count as interchangeable.
const SIMILAR = 0.75

export function createSimilarTools(vectors: Pick<TextVectors, 'embed'>): SimilarTools {
  const known = new WeakMap<Tool, Float32Array>()
  return {
    isLike: (tool, others) =>
      others.some((other) => other.name === tool.name || cosine(tool, other) > SIMILAR),
  }

  function cosine(a: Tool, b: Tool): number {
    const [left, right] = [direction(a), direction(b)]
    let sum = 0
    for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!
    return sum
  }

  /** A vector of length 1, or all zeros if the embedder does not understand the tool. */
  function direction(tool: Tool): Float32Array {
    const cached = known.get(tool) ?? unit(vectors.embed(embeddingTexts(tool).whole))
    known.set(tool, cached)
    return cached
  }
}

function unit(vector: Float32Array = new Float32Array()): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
