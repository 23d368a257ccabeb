export { loadLexicon } from './load-lexicon.browser.ts'
export { loadStaticEmbedder } from './load-static-embedder.browser.ts'
export { createStaticEmbedder, type EmbeddedPiece, type StaticEmbedder } from './static-embedder.ts'
export { StaticTableError } from './static-table-error.ts'
