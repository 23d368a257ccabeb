import type { Tool } from '../catalogue/tool.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { createSimilarityExplainer } from '../semantics/explain-similarity.ts'
import type { Ranking, ScorePart } from './ranker.ts'
import { meaningScore, type ScoreMix } from './score-mix.ts'
import { embeddingTexts } from './tool-fields.ts'

/** Explains scores that are mixed of keywords and meaning. */
export type MixExplainer = (
  text: string,
  mix: ScoreMix,
  hits: Ranking['hits'],
  explainWords: Ranking['explain'],
) => NonNullable<Ranking['explain']>

/** @param sources those of the mixes, in any order */
export function createMixExplainer(
  sources: readonly TextVectors[],
  slotOf: (name: string) => number | undefined,
): MixExplainer {
  // Only a source that knows the vectors of single words can name them.
  const naming = sources.find(({ pieces }) => pieces)
  const explainSimilarity = createSimilarityExplainer(
    naming ?? { dimensions: 0 },
    (tool: Tool) => embeddingTexts(tool).whole,
  )

  return (text, mix, hits, explainWords) => {
    const named = mix.sources.find(({ source }) => source.vectors === naming)
    const similarPairs = named
      ? explainSimilarity(text, named.comparison.queryVector)
      : () => [] as const
    // The next query overwrites the similarities.
    const explained = new Map(
      hits.map(({ tool }) => {
        const weight = meaningScore(mix, slotOf(tool.name)!)
        return [tool.name, { tool, weight }]
      }),
    )
    return (name) => {
      const hit = explained.get(name)
      if (hit === undefined) return []
      const words = explainWords?.(name) ?? []
      return [
        ...words.map((part) => ({ ...part, weight: part.weight * mix.perWordScore })),
        ...(hit.weight > 0 ? semanticParts(hit.tool, hit.weight) : []),
      ].filter((part) => part.weight > 0)
    }

    /** The most similar words by name, and one part for everything else. */
    function semanticParts(tool: Tool, weight: number): ScorePart[] {
      const pairs = similarPairs(tool)
      const rest = 1 - pairs.reduce((sum, { share }) => sum + share, 0)
      return [...pairs, { term: text, found: tool.name, share: rest }].map(
        ({ term, found, share }) => ({
          term,
          found,
          field: 'semantics',
          match: 'semantic',
          weight: weight * share,
        }),
      )
    }
  }
}
