import { readFileSync } from 'node:fs'
import { createStaticEmbedder, type StaticEmbedder } from './static-embedder.ts'

/** The embedder over the table that comes with this package. Reads 8 MB from disk, no network. */
export function loadStaticEmbedder(): StaticEmbedder {
  return createStaticEmbedder(readFileSync(new URL('../data/table.bin', import.meta.url)))
}
