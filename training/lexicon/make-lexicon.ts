/**
 * Builds the lexicon of `toolsearch-semantics`:
 *
 *     npm run lexicon -w training [-- --data <folder>] [--cache <folder>] [--out <file>]
 *
 * README.md explains the steps.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hashKey } from '../../packages/toolsearch/src/languages/hash-key.ts'
import type { HashTable } from '../../packages/toolsearch/src/languages/lexicon-format.ts'
import { startsRun } from '../../packages/toolsearch/src/languages/split-text.ts'
import { alignWords, type TermPair } from './align-words.ts'
import { chooseEntries, type Entry } from './choose-entries.ts'
import { fetchMessages } from './fetch-messages.ts'
import { everydayLines, readEverydayWords } from './read-everyday-words.ts'
import { readMessages } from './read-messages.ts'
import { type Parallel, readEnglish, readParallel } from './read-parallel.ts'
import { englishTerms, englishWords, foreignTerms, plainForm } from './terms-of.ts'
import { weighEvidence } from './weigh-evidence.ts'
import { writeLexicon } from './write-lexicon.ts'

const LATIN = [
  'de',
  'es',
  'fr',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'id',
  'cs',
  'sv',
  'vi',
  'ro',
  'da',
  'nb',
]
const OTHER = ['ru', 'uk', 'zh', 'ja', 'ko', 'th', 'hi', 'ar', 'fa', 'el']
const ROUNDS = 6
/** Chosen on one half of tldr-foreign: see README.md. */
const THRESHOLDS = {
  minCount: 2,
  minLongRunCount: 8,
  minShare: 0.25,
  minStemShare: 0.4,
  minRunShare: 0.2,
  minCharacterShare: 0.5,
  function: { minCount: 50, maxShare: 0.12 },
}
const EVIDENCE = { languages: LATIN, mostWords: 1_500, mostEnglish: 12_000 }
/** Weights of evidence are stored in steps of a tenth. */
const EVIDENCE_STEP = 0.1

const repository = resolve(import.meta.dirname, '../..')
const data = resolve(
  process.env.INIT_CWD ?? '.',
  argument('--data') ?? join(repository, '../shared/data'),
)
const cache = argument('--cache') ?? join(tmpdir(), 'toolsearch-lexicon')
const out = argument('--out') ?? join(repository, 'packages/semantics/data/lexicon.bin')
mkdirSync(cache, { recursive: true })

const everyday = readEverydayWords()
const known = new Set([...LATIN, ...OTHER])
const parallel = [...readParallel(data), ...fetchMessages(cache).flatMap(readMessages)]
const pairs = unique(parallel.filter(({ language }) => known.has(language)))
report(`${pairs.length} lines in ${known.size} languages`)

const alignments = [...known].map((language) => {
  const lines = pairs.filter((pair) => pair.language === language)
  const alignment = alignWords(withoutRareRuns(lines), { rounds: ROUNDS })
  report(`${language}: ${lines.length} lines, ${alignment.size} terms`)
  return alignment
})
const entries = withEverydayWords(chooseEntries(alignments, THRESHOLDS))
const surface = surfaceForms(pairs)
const words = [
  '',
  ...new Set(entries.map(({ english }) => surface.get(english) ?? english).filter(Boolean)),
]
const numbers = new Map(words.map((word, at) => [word, at]))
const languages = ['en', ...LATIN]
const evidence = weighEvidence([...pairs, ...everydayLines()], readEnglish(data), EVIDENCE)
const bytes = writeLexicon({
  languages,
  words,
  entries: toTable(
    entries.map(({ key, english }) => [key, numbers.get(surface.get(english) ?? english)!]),
  ),
  evidence: toTable(
    evidence.map(({ language, word, weight }) => [
      word,
      (languages.indexOf(language) << 8) | Math.round(weight / EVIDENCE_STEP),
    ]),
  ),
})
writeFileSync(out, bytes)
report(
  `${entries.length} entries, ${words.length} English words, ${evidence.length} words with evidence`,
)
report(`wrote ${bytes.length} bytes to ${out}`)

/** What people wrote down beats what was learned. */
function withEverydayWords(learned: readonly Entry[]): Pick<Entry, 'key' | 'english'>[] {
  const rest = learned.filter(({ key }) => !everyday.has(key) && !hasEverydayRun(key))
  return [...rest, ...[...everyday].map(([key, english]) => ({ key, english }))]
}

/**
 * A longer run would win over the everyday word in it, or next to the function word in it, with a
 * translation that is less sure.
 */
function hasEverydayRun(key: string): boolean {
  if (!startsRun(key)) return false
  const characters = [...key]
  if (characters.length > 1 && [characters[0]!, characters.at(-1)!].some(isFunctionWord))
    return true
  for (let from = 0; from < characters.length; from++) {
    for (let to = from + 2; to <= characters.length; to++) {
      if (everyday.get(characters.slice(from, to).join(''))) return true
    }
  }
  return false
}

function isFunctionWord(key: string): boolean {
  return everyday.get(key) === ''
}

/** Runs that occur once are mostly parts of two words. */
function withoutRareRuns(lines: readonly Parallel[]): TermPair[] {
  const all = lines.map(({ text, english }) => ({
    foreign: foreignTerms(text),
    english: englishTerms(english),
  }))
  const counts = new Map<string, number>()
  for (const { foreign } of all) {
    for (const term of foreign) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const isKept = (term: string) => term.charCodeAt(0) < 0xe00 || counts.get(term)! > 1
  return all
    .map((pair) => ({ ...pair, foreign: pair.foreign.filter(isKept) }))
    .filter(({ foreign, english }) => foreign.length > 0 && english.length > 0)
}

/** The most frequent form of each English word. */
function surfaceForms(lines: readonly Parallel[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const { english } of lines) {
    for (const word of englishWords(english)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const forms = new Map<string, string>()
  for (const [word, count] of counts) {
    const before = forms.get(plainForm(word))
    if (before === undefined || counts.get(before)! < count) forms.set(plainForm(word), word)
  }
  return forms
}

function unique(lines: readonly Parallel[]): Parallel[] {
  const seen = new Set<string>()
  return lines.filter(({ language, text, english }) => {
    const key = `${language}\t${text}\t${english}`
    return !seen.has(key) && seen.add(key)
  })
}

function toTable(rows: readonly (readonly [key: string, value: number])[]): HashTable {
  const hashed = rows.map(([key, value]) => [hashKey(key), value] as const)
  hashed.sort(([a, x], [b, y]) => a - b || x - y)
  return {
    hashes: Uint32Array.from(hashed, ([hash]) => hash),
    values: Uint16Array.from(hashed, ([, value]) => value),
  }
}

function argument(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}

function report(line: string): void {
  console.log(line)
}
