import type { Query } from './query.ts'

/** Which forms a query may take. */
export interface QuerySyntax {
  /**
   * `select:A,B` asks for tools by name.
   * @default true
   */
  select?: boolean
  /**
   * `+word` must be present in a tool.
   * @default true
   */
  required?: boolean
  /**
   * Whether punctuation around a word is part of it. `keep` searches for `"read,` as written.
   * @default 'strip'
   */
  punctuation?: 'strip' | 'keep'
}

const MAX_LENGTH = 10_000
const SELECT = /^["'`]?\s*select\s*:/i
const LIST_MARK = /[\s"'`[\]]/
const QUOTE = /[\s"'`[\](){}<>,;:.!?*]/
const PUNCTUATION = /[^\p{L}\p{N}\p{M}]/u

/**
 * Reads the text a model passes to the search tool.
 *
 * - `select:read_file,write_file` asks for those tools by name.
 * - `+github issue comment` ranks by every word, among tools that mention `github`.
 * - Anything else is plain words.
 *
 * Never throws: a model's query is something to serve, not a program to reject.
 * What is beyond 10,000 characters is not read.
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
  const text = query.slice(0, MAX_LENGTH).trim().toWellFormed()
  if (select && SELECT.test(text)) {
    const list = text
      .replace(SELECT, '')
      .trim()
      .replace(/^\((.*)\)$/s, '$1')
    const names = list
      .split(',')
      .map((name) => trimEdges(name, LIST_MARK))
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
    name: trimEdges(text, QUOTE),
    terms: words.map((word) => word.term),
    required: [...new Set(words.filter((word) => word.required).map((word) => word.term))],
  }
}

/** By hand, because a regular expression for both ends takes quadratic time on a long run. */
function trimEdges(text: string, edge: RegExp): string {
  const characters = [...text]
  let from = 0
  let to = characters.length
  while (from < to && edge.test(characters[from]!)) from++
  while (to > from && edge.test(characters[to - 1]!)) to--
  return characters.slice(from, to).join('')
}

function readWord(word: string, required: boolean, punctuation: 'strip' | 'keep') {
  const quoted = punctuation === 'strip' ? word.replace(/^["'`([{<]+/, '') : word
  const isRequired = required && quoted.startsWith('+')
  const bare = isRequired ? quoted.replace(/^\++/, '') : quoted
  const term = (punctuation === 'strip' ? trimEdges(bare, PUNCTUATION) : bare).toLowerCase()
  return { term, required: isRequired }
}
