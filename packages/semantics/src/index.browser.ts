export { loadStaticEmbedder } from './load-static-embedder.browser.ts'
export { createStaticEmbedder, type EmbeddedPiece, type StaticEmbedder } from './static-embedder.ts'
export { StaticTableError } from './static-table-error.ts'
export { createWordPieces, type WordPieces } from './word-pieces.ts'
