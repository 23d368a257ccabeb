export { loadLexicon } from './load-lexicon.ts'
export { loadStaticEmbedder } from './load-static-embedder.ts'
export { createStaticEmbedder, type EmbeddedPiece, type StaticEmbedder } from './static-embedder.ts'
export { StaticTableError } from './static-table-error.ts'
