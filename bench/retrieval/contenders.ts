import { RANKERS } from '../evaluation/rankers.ts'
import type { Contender } from './contender.ts'
import { rankWith } from './rank-with.ts'

const OURS = [
  'unified',
  'unified-hybrid',
  'fielded',
  'hybrid',
  'bm25',
  'nexo',
  'cortex',
  'term-count',
  'weighted-terms',
  'bigram',
]

/** All contenders, in the order of the table. */
export const CONTENDERS: readonly Contender[] = [
  ...OURS.map(ours),
  peer('Ratel', '@ratel-ai/sdk', () => import('../peers/ratel.ts')),
  { ...peer('Mastra', '@mastra/core', () => import('../peers/mastra.ts')), node: '22.13.0' },
  peer('AI SDK', 'ai', () => import('../peers/ai-sdk.ts')),
  peer('MiniSearch', 'minisearch', () => import('../peers/minisearch.ts')),
  peer('Orama', '@orama/orama', () => import('../peers/orama.ts')),
]

function ours(name: string): Contender {
  return { name, side: 'ours', load: async () => rankWith(RANKERS[name]!) }
}

function peer(name: string, packageName: string, load: Contender['load']): Contender {
  return { name, side: 'peer', package: packageName, load }
}
