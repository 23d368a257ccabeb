import { writeLexicon } from '../../../../training/lexicon/write-lexicon.ts'
import { hashKey } from './hash-key.ts'
import type { HashTable } from './lexicon-format.ts'

const TRANSLATIONS: Readonly<Record<string, string>> = {
  datei: 'file',
  'datei*': 'file',
  lies: 'read',
  die: '',
  wetter: 'weather',
  bericht: 'report',
  suche: 'search',
  archivo: 'file',
  天气: 'weather',
  天: 'sky',
  查: 'query',
  的: '',
  文件: 'file',
  ファイル: 'file',
  ค้นหา: 'search',
}

const TYPICAL: readonly (readonly [language: number, word: string, weight: number])[] = [
  [0, 'the', 4],
  [0, 'read', 3],
  [0, 'file', 2],
  [1, 'die', 4],
  [1, 'lies', 3],
  [1, 'datei', 4],
  [1, 'wetter', 4],
  [1, 'große', 4],
  [2, 'el', 4],
  [2, 'archivo', 4],
  [3, 'o', 4],
  [3, 'arquivo', 4],
  [3, 'archivo', 3],
]

/** The bytes of a lexicon with a few German, Spanish, Portuguese, Chinese and Thai words. */
export function lexiconBytes(): Uint8Array {
  const words = [...new Set(Object.values(TRANSLATIONS))].sort()
  return writeLexicon({
    languages: ['en', 'de', 'es', 'pt'],
    words,
    entries: table(Object.entries(TRANSLATIONS).map(([key, to]) => [key, words.indexOf(to)])),
    evidence: table(
      TYPICAL.map(([language, word, weight]) => [word, (language << 8) | (10 * weight)]),
    ),
  })
}

function table(rows: readonly (readonly [key: string, value: number])[]): HashTable {
  const sorted = rows
    .map(([key, value]) => [hashKey(key), value] as const)
    .sort(([a], [b]) => a - b)
  return {
    hashes: Uint32Array.from(sorted, ([hash]) => hash),
    values: Uint16Array.from(sorted, ([, value]) => value),
  }
}
