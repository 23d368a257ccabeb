import type { ToolTerm } from '../../ranking/tool-terms.ts'

/**
 * PostgreSQL gives every lexeme of a document one of four labels, usually its field. Here the label
 * is the impact of the term in this tool, which takes field, length and repetition into account.
 */
const LEVELS = [
  { label: 'A', from: 0.72 },
  { label: 'B', from: 0.54 },
  { label: 'C', from: 0.32 },
  { label: 'D', from: 0 },
] as const

/**
 * What a term with these labels adds to the score, from D to A, as `ts_rank` expects it. The labels'
 * own impact would be 0.79 for A: most of these terms are in a name, which the ranking rewards.
 */
export const IMPACTS = '{0.2,0.44,0.63,0.95}'

/** The factor by which `ts_rank` divides the weight of a single lexeme. */
export const RANK_DIVISOR = 1.64493406685

/** Nobody searches for longer words, and PostgreSQL rejects those of more than 2046 bytes. */
const MAX_LENGTH = 200

/** A lexeme with this sign in front marks the tools in which the term has the highest impact. */
const STRONG = '='

export interface ToolLexemes {
  /** The text of a `tsvector`. */
  readonly document: string
  readonly lexemes: readonly string[]
}

/** The document of a tool for full text search. */
export function toolLexemes(terms: readonly ToolTerm[]): ToolLexemes {
  const parts: string[] = []
  const lexemes: string[] = []
  for (const { term, impact } of terms) {
    if (!isLexeme(term)) continue
    const { label } = LEVELS.find(({ from }) => impact >= from)!
    parts.push(`${quoteLexeme(term)}:1${label}`)
    lexemes.push(term)
    if (label !== 'A') continue
    parts.push(quoteLexeme(strongLexeme(term)))
    lexemes.push(strongLexeme(term))
  }
  return { document: parts.join(' '), lexemes }
}

/** Whether PostgreSQL can store a term. */
export function isLexeme(term: string): boolean {
  return term !== '' && term.length <= MAX_LENGTH && !term.includes('\0') && term.isWellFormed()
}

export function strongLexeme(term: string): string {
  return `${STRONG}${term}`
}

/** Quotes a lexeme for the text of a `tsvector` or a `tsquery`. */
export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`
}
