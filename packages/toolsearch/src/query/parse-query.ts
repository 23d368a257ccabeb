import type { Query } from './query.ts'
import { trimEdges } from './trim-edges.ts'

/** The supported query forms. */
export interface QuerySyntax {
  /**
   * Whether `select:A,B` requests tools by name.
   * @default true
   */
  select?: boolean
  /**
   * Whether `+word` marks a word that a tool must contain.
   * @default true
   */
  required?: boolean
  /**
   * Whether to strip punctuation around words. `keep` searches for `"read,` as written.
   * @default 'strip'
   */
  punctuation?: 'strip' | 'keep'
}

/**
 * Reads the query that a model passes to the search tool. Never throws.
 *
 * @param isPlain whether a person has written it, who does not know the query language
 */
export type ReadQuery = (query: string, isPlain?: boolean) => Query

/** Every word costs time. A longer text is a document, not a query. */
export const MAX_LENGTH = 2_000
/** Enough for thousands of names. */
const MAX_SELECT_LENGTH = 100_000
const SELECT = /^["'`]?\s*select\s*:/i
const LIST_EDGE = /[\s"'`[\]]/
const NAME_EDGE = /[\s"'`[\](){}<>,;:.!?*]/
const WORD_EDGE = /[^\p{L}\p{N}\p{M}]/u

export function queryReader(syntax: QuerySyntax): ReadQuery {
  return (query, isPlain = false) =>
    parseQuery(query, isPlain ? { ...syntax, select: false, required: false } : syntax)
}

/**
 * Parses the query that a model passes to the search tool.
 *
 * - `select:read_file,write_file` requests those tools by name.
 * - `+github issue comment` ranks by all words, among tools that contain `github`.
 * - Anything else is a keyword query.
 *
 * Never throws: every text is a valid query. Of keywords, only the first 2,000 characters are used.
 *
 * @example
 * parseQuery('+github issue')
 * // { kind: 'words', text: '+github issue', name: '+github issue',
 * //   terms: ['github', 'issue'], required: ['github'] }
 */
export function parseQuery(
  query: string,
  { select = true, required = true, punctuation = 'strip' }: QuerySyntax = {},
): Query {
  const isSelect = select && SELECT.test(query.trimStart())
  const text = query
    .slice(0, isSelect ? MAX_SELECT_LENGTH : MAX_LENGTH)
    .trim()
    .toWellFormed()
  if (isSelect) {
    const list = text
      .replace(SELECT, '')
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
    const names = list
      .split(',')
      .map((name) => trimEdges(name, LIST_EDGE))
      .filter(Boolean)
    return names.length > 0
      ? { kind: 'select', text, names: [...new Set(names)] }
      : { kind: 'blank', text }
  }

  const words = text
    .split(/\s+/)
    .map((word) => readWord(word, required, punctuation))
    .filter((word) => word.term !== '')
  if (words.length === 0) return { kind: 'blank', text }
  return {
    kind: 'words',
    text,
    name: trimEdges(text, NAME_EDGE),
    terms: words.map((word) => word.term),
    required: [...new Set(words.filter((word) => word.required).map((word) => word.term))],
  }
}

function readWord(word: string, required: boolean, punctuation: 'strip' | 'keep') {
  const quoted = punctuation === 'strip' ? word.replace(/^["'`([{<]+/, '') : word
  const isRequired = required && quoted.startsWith('+')
  const bare = isRequired ? quoted.replace(/^\++/, '') : quoted
  const term = (punctuation === 'strip' ? trimEdges(bare, WORD_EDGE) : bare).toLowerCase()
  return { term, required: isRequired }
}
