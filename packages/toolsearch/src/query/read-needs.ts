import { type FileToWrite, filesToWrite } from './file-rule.ts'
import type { WordsQuery } from './query.ts'
import { splitNeeds } from './split-needs.ts'

/** A query, and one short query for each of its needs. */
export interface Needs {
  /** The query without the paths of files to write, which say nothing about a tool. */
  readonly whole: WordsQuery
  /** Empty if the query has a single need. */
  readonly needs: readonly WordsQuery[]
  readonly files: readonly FileToWrite[]
}

/** A clause that only asks to save something that the query has mentioned before. */
const ONLY_SAVES =
  /^(?:and |then |please |also )*(?:save|write|export|store|put|output|dump|record|append)\s+(?:it|them|this|that|these|those|everything|(?:the|all|all the)?\s*(?:results?|output|answers?|list|data|findings|information)?)\s*(?:to|into|in|as|under|at)?\s*(?:an?|the)?\s*(?:file)?(?: named| called)?[\s.,:;]*$/i

/**
 * Divides a query into its needs.
 *
 * @example
 * readNeeds(parseQuery('Look up the population of Peru and save it to peru.xlsx'))
 * // whole: 'Look up the population of Peru and save it to'
 * // needs: 'Look up the population of Peru and save it to', 'create spreadsheet'
 */
export function readNeeds(query: WordsQuery): Needs {
  const files = filesToWrite(query.text)
  const text = files.length > 0 ? without(query.text, files) : query.text
  // A path alone is a query for that path.
  if (!/[\p{L}\p{N}]/u.test(text)) return { whole: query, needs: [], files: [] }
  const parts = splitNeeds(text)
  if (files.length === 0) return { whole: query, needs: parts.map(queryOf), files }
  const added = new Set(files.map(({ need }) => need))
  // "save it to" says no more than the added need, and would find tools that save something else.
  const others = (parts.length > 0 ? parts : [text]).filter((part) => !ONLY_SAVES.test(part))
  const needs = [...others, ...added].map(queryOf)
  const whole = queryOf(others.length > 0 ? text : [...added].join(', '))
  return { whole: { ...whole, required: query.required }, needs, files }
}

function queryOf(text: string): WordsQuery {
  return { kind: 'words', text, name: text, terms: text.toLowerCase().split(/\s+/), required: [] }
}

function without(text: string, files: readonly FileToWrite[]): string {
  let rest = ''
  let at = 0
  for (const { from, to } of files) {
    rest += text.slice(at, from)
    at = to
  }
  return (rest + text.slice(at)).replace(/\s+/g, ' ').trim()
}
