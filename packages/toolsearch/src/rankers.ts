export type { TextLanguage } from './languages/detect-language.ts'
export { createLexicon, type Lexicon } from './languages/lexicon.ts'
export type { TranslatedText } from './languages/translate-text.ts'
export type { WordsQuery } from './query/query.ts'
export { type Bm25Options, bm25Ranker } from './ranking/bm25-ranker.ts'
export { fieldedRanker } from './ranking/fielded-ranker.ts'
export { type HybridRankerOptions, hybridRanker } from './ranking/hybrid-ranker.ts'
export type {
  Field,
  Match,
  Ranker,
  Ranking,
  RankOptions,
  ScoredTool,
  ScorePart,
} from './ranking/ranker.ts'
export { type TranslatingRankerOptions, translatingRanker } from './ranking/translating-ranker.ts'
export type { Embedder, TextVectors } from './semantics/embedder.ts'
export {
  type EmbedderOptions,
  type EndpointOptions,
  endpointEmbedder,
  functionEmbedder,
} from './semantics/embedders.ts'
export {
  createRemoteVectors,
  type RemoteVectors,
  type RemoteVectorsOptions,
} from './semantics/remote-vectors.ts'
