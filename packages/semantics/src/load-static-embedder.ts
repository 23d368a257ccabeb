import { readFileSync } from 'node:fs'
import { createStaticEmbedder, type StaticEmbedder } from './static-embedder.ts'

/** Loads the table of this package: reads 8 MB from disk, without network access. */
export function loadStaticEmbedder(): StaticEmbedder {
  return createStaticEmbedder(readFileSync(new URL('../data/table.bin', import.meta.url)))
}
