import { trimEdges } from '../query/trim-edges.ts'
import { hashNameKey } from './name-key.ts'

/** A word of a query, as whitespace separates them. */
export interface QueryWord {
  /** With the punctuation around it. */
  readonly raw: string
  /** Where the raw word starts in the query. */
  readonly start: number
  /** Without quotes, brackets and punctuation around it. */
  readonly core: string
  /** Where the core starts and ends in the query. */
  readonly from: number
  readonly to: number
  /** Whether the core contains only letters and digits, at least one. */
  readonly isSimple: boolean
}

const EDGE = /[\s"'`[\](){}<>,;:.!?*+]/
const SIMPLE = /^[\p{L}\p{M}\p{N}]+$/u
const MARKS = /["'`*]/
const QUOTES = /["']/

export function queryWords(text: string): readonly QueryWord[] {
  return [...text.matchAll(/\S+/gu)].map(({ 0: raw, index: start }) => {
    const core = trimEdges(raw, EDGE)
    const from = start + raw.indexOf(core)
    return { raw, start, core, from, to: from + core.length, isSimple: SIMPLE.test(core) }
  })
}

/** The part of a word without punctuation around it. */
export function trimWord(word: string): string {
  return trimEdges(word, EDGE)
}

/** Whether only spaces separate two words: no punctuation and no line break. */
export function areAdjacent(text: string, first: QueryWord, second: QueryWord): boolean {
  for (let at = first.to; at < second.from; at++) {
    if (text[at] !== ' ' && text[at] !== '\t') return false
  }
  return true
}

/**
 * How a part of the query is marked: as code by backticks, asterisks or the parentheses of a call, or
 * by quotes, which can also surround a value. The keys of JSON objects are not marked, nor is "file"
 * in "file(s)".
 */
export function markOf(text: string, from: number, to: number): 'code' | 'quoted' | undefined {
  if (text[to] === '(') return /^\(e?s\)/.test(text.slice(to, to + 4)) ? undefined : 'code'
  const mark = text[from - 1] ?? ''
  if (!MARKS.test(mark)) return undefined
  const end = /[.,!?]/.test(text[to] ?? '') ? to + 1 : to
  if (text[end] !== mark || text[end + 1] === ':') return undefined
  return QUOTES.test(mark) ? 'quoted' : 'code'
}

/** Returns a function that tells whether up to three words of the query have this name key. */
export function mentions(text: string, words: readonly QueryWord[]): (key: string) => boolean {
  let hashes: ReadonlySet<number> | undefined
  return (key) => {
    hashes ??= hashesOfWords()
    return hashes.has(hashNameKey(key))
  }

  function hashesOfWords(): ReadonlySet<number> {
    const found = new Set<number>()
    for (let at = 0; at < words.length; at++) {
      for (let end = at; end < Math.min(words.length, at + 3); end++) {
        found.add(hashNameKey(text.slice(words[at]!.from, words[end]!.to)))
      }
    }
    return found
  }
}
