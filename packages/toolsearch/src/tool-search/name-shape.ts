import { splitIdentifier } from '../words/split-identifier.ts'
import { STOP_WORDS } from '../words/stop-words.ts'

const NOT_LETTER = /[^\p{L}\p{M}]/u
const ORDINARY_WORDS = /^[\p{L}\p{M}]+(?:[\s-]+[\p{L}\p{M}]+)+$/u
/** They turn a verb into another ordinary word: "check-in", "set up". */
const PARTICLES = new Set(['up', 'down', 'out', 'off', 'over', 'back', 'through', 'away', 'only'])

/** Whether a word consists of several parts, such as `search_graph`, `searchGraph` or `s3`. */
export function isIdentifier(word: string): boolean {
  return splitIdentifier(word).length > 1
}

/** Whether a name cannot be mistaken for an ordinary word. */
export function isDistinctive(name: string): boolean {
  return isIdentifier(name) || NOT_LETTER.test(name)
}

/**
 * Whether a spelling says more than one word would. In "check-in" and "set up" only one word has a
 * meaning of its own, so sentences contain them without naming a tool.
 */
export function isTelling(spelling: string): boolean {
  if (!ORDINARY_WORDS.test(spelling)) return true
  const isFiller = (word: string) => STOP_WORDS.has(word) || PARTICLES.has(word)
  const words = spelling.toLowerCase().split(/[\s-]+/)
  return words.filter((word) => !isFiller(word)).length > 1
}
