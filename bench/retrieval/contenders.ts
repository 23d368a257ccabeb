import {
  bigramRanker,
  bm25Ranker,
  cortexRanker,
  fieldedRanker,
  hybridRanker,
  nexoRanker,
  termCountRanker,
  weightedTermsRanker,
} from 'toolsearch'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import type { Contender, Rank } from './contender.ts'
import { rankAlone, rankAsShipped } from './our-rankers.ts'

/** All contenders, in the order of the table. */
export const CONTENDERS: readonly Contender[] = [
  ours('unified', rankAsShipped),
  ours('fielded', rankAlone(fieldedRanker)),
  ours(
    'hybrid',
    rankAlone(() => hybridRanker({ vectors: loadStaticEmbedder() })),
  ),
  ours('bm25', rankAlone(bm25Ranker)),
  ours('nexo', rankAlone(nexoRanker)),
  ours('cortex', rankAlone(cortexRanker)),
  ours('term-count', rankAlone(termCountRanker)),
  ours('weighted-terms', rankAlone(weightedTermsRanker)),
  ours('bigram', rankAlone(bigramRanker)),
  peer('Ratel', '@ratel-ai/sdk', () => import('../peers/ratel.ts')),
  { ...peer('Mastra', '@mastra/core', () => import('../peers/mastra.ts')), node: '22.13.0' },
  peer('AI SDK', 'ai', () => import('../peers/ai-sdk.ts')),
  peer('MiniSearch', 'minisearch', () => import('../peers/minisearch.ts')),
  peer('Orama', '@orama/orama', () => import('../peers/orama.ts')),
]

function ours(name: string, rank: Rank): Contender {
  return { name, side: 'ours', load: async () => rank }
}

function peer(name: string, packageName: string, load: Contender['load']): Contender {
  return { name, side: 'peer', package: packageName, load }
}
