import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_RUN, wordKey } from '../../packages/toolsearch/src/languages/word-key.ts'
import type { Parallel } from './read-parallel.ts'

/**
 * Reads `everyday-words.tsv`: one English word per line, and a column of words for each language. The
 * first line has words that are left out. Of several English words for the same word, the first wins.
 */
export function readEverydayWords(): Map<string, string> {
  const english = new Map<string, string>()
  for (const [translation, ...columns] of readRows().slice(1)) {
    for (const word of columns.join(' ').split(' ').filter(Boolean)) {
      const key = wordKey(word)
      const isFound = key.charCodeAt(0) < 0xe00 || [...key].length <= MAX_RUN
      if (isFound && key !== translation && !english.has(key)) english.set(key, translation!)
    }
  }
  return english
}

/** As evidence of a language, each word counts like so many lines of other sources. */
const COPIES = 30

/** The same words as lines of text. */
export function everydayLines(): Parallel[] {
  const [languages, ...rows] = readRows()
  const lines = rows.flatMap(([english, ...columns]) =>
    columns.map((text, at) => ({ language: languages![at + 1]!, text, english: english! })),
  )
  return Array.from({ length: COPIES }, () => lines).flat()
}

function readRows(): string[][] {
  const file = readFileSync(join(import.meta.dirname, 'everyday-words.tsv'), 'utf8')
  return file
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
}
