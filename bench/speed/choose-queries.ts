import { existsSync } from 'node:fs'
import { readQueries } from '../data/read-queries.ts'
import { setFiles } from '../data/read-sets.ts'
import { InputError } from '../input-error.ts'
import { sampleEvenly } from './sample-evenly.ts'

/**
 * A query. Two to six English words, as models write them, are `short`; longer queries are a
 * `sentence`. Queries in other languages are `foreign`: they share few words with an English catalogue.
 */
export interface BenchQuery {
  readonly text: string
  readonly kind: 'short' | 'sentence' | 'foreign'
}

// Named, so that a new data set in the folder doesn't change what is measured.
const ENGLISH_SETS = ['azure-mcp', 'mcpverse', 'metatool', 'seal-tools-dev', 'toollinkos']
const FOREIGN_SETS = ['tldr-foreign', 'tldr-ja', 'tldr-ko', 'tldr-zh']

const QUERIES_PER_SET = 50
const LONGEST_SENTENCE = 40

/** Chooses queries of the data sets, the same in every run. @throws InputError if the sets are missing */
export function readBenchQueries(folder: string): BenchQuery[] {
  const english = ENGLISH_SETS.flatMap((set) => queriesOf(folder, set))
  if (english.length === 0) {
    throw new InputError(
      `No queries in ${folder}: expected at least one of ${ENGLISH_SETS.join(', ')}. ` +
        'Choose another folder with --data DIR.',
    )
  }
  return chooseQueries(
    english,
    FOREIGN_SETS.flatMap((set) => queriesOf(folder, set)),
  )
}

function queriesOf(folder: string, set: string): readonly string[][] {
  const { queries } = setFiles(folder, set)
  return existsSync(queries) ? [readQueries([queries]).map(({ query }) => query)] : []
}

/**
 * Chooses every short English query and a sample of the others. All kinds are mixed evenly, so that
 * an engine that runs out of time has seen each.
 */
export function chooseQueries(
  english: readonly (readonly string[])[],
  foreign: readonly (readonly string[])[] = [],
): BenchQuery[] {
  const short = english.flatMap((set) => set.filter((query) => isBetween(2, countWords(query), 6)))
  const sentences = english.flatMap((set) =>
    sample(set.filter((query) => isBetween(7, countWords(query), LONGEST_SENTENCE))),
  )
  return [
    ...spread(short, 'short'),
    ...spread(sentences, 'sentence'),
    ...spread(foreign.flatMap(sample), 'foreign'),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ text, kind }) => ({ text, kind }))
}

function sample(queries: readonly string[]): readonly string[] {
  return sampleEvenly(queries, QUERIES_PER_SET)
}

function spread(texts: readonly string[], kind: BenchQuery['kind']) {
  return texts.map((text, at) => ({ text, kind, place: at / texts.length }))
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}

function isBetween(least: number, number: number, most: number): boolean {
  return least <= number && number <= most
}
