import type { ScorePart } from '../../api/contract.ts'

const fields: Record<ScorePart['field'], string> = {
  name: 'name',
  source: 'server',
  hint: 'hint',
  description: 'description',
  parameters: 'parameters',
  semantics: 'meaning',
  use: 'earlier calls',
}

/** Only matches that need an explanation: an equal word needs none. */
const matches: Partial<Record<ScorePart['match'], string>> = {
  part: 'part of a word',
  contains: 'substring',
  similar: 'similar spelling',
  synonym: 'synonym',
  prefix: 'prefix',
  typo: 'typo',
  coverage: 'most of the name',
  learned: 'used after them',
}

/** Why a tool ranks where it does: everything that one word of the query added to its score. */
export interface Reason {
  /** A word of the query, or "whole query". */
  readonly term: string
  /** The matching words of the tool, as far as they differ from the term. */
  readonly found: readonly string[]
  /** Where it matched and how, such as `name (synonym), description`. */
  readonly where: string
  readonly weight: number
  /** Largest first. */
  readonly fields: readonly FieldWeight[]
}

export interface FieldWeight {
  readonly field: ScorePart['field']
  readonly weight: number
}

/** The texts of a tool, to show its words in full. */
export interface ToolText {
  readonly name: string
  readonly summary?: string
}

/** Groups the parts of a score by the word of the query, so that each word appears once, largest first. */
export function reasonsOf(parts: readonly ScorePart[], query: string, tool: ToolText): Reason[] {
  const toolWords = wordsOf(`${tool.name} ${tool.summary ?? ''}`)
  const groups = new Map<string, ScorePart[]>()
  for (const part of parts) {
    const term = termOf(part, query)
    groups.set(term, [...(groups.get(term) ?? []), part])
  }
  return [...groups]
    .map(([term, group]) => {
      const found = group.flatMap((part) => foundWords(part, toolWords))
      return {
        term,
        found: [...new Set(found)].filter((word) => word !== term),
        where: [...new Set(group.map(placeOf))].join(', '),
        weight: group.reduce((sum, { weight }) => sum + weight, 0),
        fields: weightsByField(group),
      }
    })
    .sort((a, b) => b.weight - a.weight)
}

/** Adds up the weights of each field, largest first. */
export function weightsByField(parts: readonly ScorePart[]): FieldWeight[] {
  const weights = new Map<ScorePart['field'], number>()
  for (const { field, weight } of parts) weights.set(field, (weights.get(field) ?? 0) + weight)
  return [...weights]
    .filter(([, weight]) => weight > 0)
    .map(([field, weight]) => ({ field, weight }))
    .sort((a, b) => b.weight - a.weight)
}

function placeOf({ field, match }: ScorePart): string {
  const how = matches[match]
  return how === undefined ? fields[field] : `${fields[field]} (${how})`
}

function termOf({ term, translatedFrom, match }: ScorePart, query: string): string {
  // This part is for all words together: its term is the name of the tool.
  if (match === 'coverage') return 'whole query'
  if (term.trim().toLowerCase() === query.trim().toLowerCase() && /\s/.test(term.trim()))
    return 'whole query'
  return translatedFrom ?? queryWord(term, query)
}

/** Rankers compare stems: show `customer`, which the person typed, instead of `custom`. */
function queryWord(term: string, query: string): string {
  const words = wordsOf(query)
  if (term.length < 3 || words.includes(term)) return term
  // Stemming may have changed the last letter.
  return words.find((word) => word.startsWith(term.slice(0, -1))) ?? term
}

function foundWords(part: ScorePart, toolWords: readonly string[]): string[] {
  const { term, found, translatedFrom } = part
  const translated = translatedFrom === undefined ? [] : [term]
  // The tool's own name says nothing: the reason belongs to that tool.
  if (found === undefined || found.includes('__') || /\s/.test(found)) return translated
  const word = wholeWord(found, toolWords)
  return word === undefined ? translated : [...translated, word]
}

/**
 * The word of the tool that a stem (`compani`) or a piece of a word (`##und`) belongs to; undefined
 * if a piece belongs to none of them.
 */
function wholeWord(found: string, toolWords: readonly string[]): string | undefined {
  const isPiece = found.startsWith('##')
  const text = found.replace(/^##/, '').toLowerCase()
  if (isPiece) return toolWords.find((word) => word.endsWith(text) && word !== text)
  if (text.length < 3 || toolWords.includes(text)) return text
  return toolWords.find((word) => word.startsWith(text.slice(0, -1))) ?? text.replace(/i$/, 'y')
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
}
