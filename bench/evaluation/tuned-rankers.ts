import type { Ranker, TextVectors } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import {
  fieldedRanker,
  weightedFieldedRanker,
} from '../../packages/toolsearch/src/ranking/fielded-ranker.ts'
import { FIELDED_WEIGHTS } from '../../packages/toolsearch/src/ranking/fielded-weights.ts'
import { weightedHybridRanker } from '../../packages/toolsearch/src/ranking/hybrid-ranker.ts'
import { HYBRID_WEIGHTS } from '../../packages/toolsearch/src/ranking/hybrid-weights.ts'
import type { TuningSet } from './tuning-sets.ts'

/** A ranker whose weights `npm run bench -- tune` can choose. */
export interface TunedRanker<Weights extends object = object> {
  readonly weights: Weights
  /** The file that declares the weights. */
  readonly file: string
  /** Creates a ranker with these weights over the tools of a set. */
  create(weights: Weights, set: Pick<TuningSet, 'tools'>): Ranker
}

/** The values of `--ranker`. */
export const TUNED_RANKERS: Readonly<Record<string, () => TunedRanker>> = {
  fielded: () =>
    tuned({
      weights: FIELDED_WEIGHTS,
      file: 'packages/toolsearch/src/ranking/fielded-weights.ts',
      create: (weights, { tools }) => indexed(weightedFieldedRanker(weights), tools),
    }),
  hybrid: () => {
    const vectors = remembering(loadStaticEmbedder())
    const lexicalOf = new WeakMap<object, Ranker>()
    return tuned({
      weights: HYBRID_WEIGHTS,
      file: 'packages/toolsearch/src/ranking/hybrid-weights.ts',
      create(weights, { tools }) {
        const lexical = lexicalOf.get(tools) ?? indexed(fieldedRanker(), tools)
        lexicalOf.set(tools, lexical)
        const options = { vectors, lexical: readOnly(lexical) }
        return indexed(weightedHybridRanker(options, weights), tools)
      },
    })
  },
}

/** Forgets the type of the weights, so that rankers with different weights fit one list. */
function tuned<Weights extends object>(ranker: TunedRanker<Weights>): TunedRanker {
  return ranker as unknown as TunedRanker
}

function indexed(ranker: Ranker, tools: TuningSet['tools']): Ranker {
  for (const tool of tools) ranker.set(tool)
  return ranker
}

/** The index of keywords does not depend on the weights of the hybrid ranker: builds it only once. */
function readOnly(ranker: Ranker): Ranker {
  return { ...ranker, set() {}, delete() {} }
}

/** Embeds each text once, however many rankers ask for it. */
function remembering(vectors: TextVectors): TextVectors {
  const known = new Map<string, Float32Array | undefined>()
  return {
    ...vectors,
    embed(text, kind = 'document') {
      const key = `${kind} ${text}`
      if (!known.has(key)) known.set(key, vectors.embed(text, kind))
      return known.get(key)
    },
  }
}
