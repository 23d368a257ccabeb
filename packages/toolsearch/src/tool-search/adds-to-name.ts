import { stem } from '../words/stem.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordsOf } from '../words/words.ts'

/** Words that say nothing about one parameter, because they are true of most. */
const USUAL = new Set(
  ['optional', 'required', 'parameter', 'value', 'string', 'number', 'boolean', 'specify'].map(
    stem,
  ),
)

/** Whether a description says more than the name of its parameter, as "The page" does not of `page`. */
export function addsToName(description: string, name: string): boolean {
  const known = new Set(stems(name))
  return stems(description).some((word) => !known.has(word) && !USUAL.has(word))
}

function stems(text: string): string[] {
  // Any longer text says more than a name.
  return wordsOf(text.slice(0, 300))
    .flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
}
