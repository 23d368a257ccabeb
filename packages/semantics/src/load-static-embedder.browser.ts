import { createStaticEmbedder, type StaticEmbedder } from './static-embedder.ts'

/**
 * Fetches the table of this package from `url`, by default from where this file is. Bundlers that
 * support `new URL(…, import.meta.url)` copy the table.
 */
export async function loadStaticEmbedder(
  url: string | URL = new URL('../data/table.bin', import.meta.url),
): Promise<StaticEmbedder> {
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(
      `Cannot load the embedding table: ${url} responded with status ${response.status}.`,
    )
  }
  return createStaticEmbedder(new Uint8Array(await response.arrayBuffer()))
}
