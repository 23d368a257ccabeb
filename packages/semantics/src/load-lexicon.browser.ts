/**
 * Fetches the lexicon of this package from `url`, by default from where this file is. Bundlers that
 * support `new URL(…, import.meta.url)` copy the file. Pass the bytes to `createLexicon` of toolsearch.
 */
export async function loadLexicon(
  url: string | URL = new URL('../data/lexicon.bin', import.meta.url),
): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) {
    throw new Error(`Cannot load the lexicon: ${url} responded with status ${response.status}.`)
  }
  return new Uint8Array(await response.arrayBuffer())
}
