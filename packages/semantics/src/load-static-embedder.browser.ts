import { createStaticEmbedder, type StaticEmbedder } from './static-embedder.ts'

/**
 * The embedder over the table that comes with this package, fetched from beside this file or from
 * `url`. Bundlers that know `new URL(…, import.meta.url)` copy the table along.
 */
export async function loadStaticEmbedder(
  url: string | URL = new URL('../data/table.bin', import.meta.url),
): Promise<StaticEmbedder> {
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(`Cannot load the embedding table: ${url} answered ${response.status}.`)
  }
  return createStaticEmbedder(new Uint8Array(await response.arrayBuffer()))
}
