import { readFileSync } from 'node:fs'

/** Reads the lexicon of this package from disk. Pass the bytes to `createLexicon` of toolsearch. */
export function loadLexicon(): Uint8Array {
  return readFileSync(new URL('../data/lexicon.bin', import.meta.url))
}
