import { typingErrors } from './typing-errors.ts'
import { MAX_ERRORS, MAX_TERMS, type Vocabulary } from './vocabulary.ts'

/** Two vocabularies as one. */
export function joinVocabularies(a: Vocabulary, b: Vocabulary): Vocabulary {
  return {
    has: (term) => a.has(term) || b.has(term),
    startingWith: (prefix) =>
      union(a.startingWith(prefix), b.startingWith(prefix))
        .sort((one, other) => one.length - other.length)
        .slice(0, MAX_TERMS),
    resembling(word) {
      const [inA, inB] = [a.resembling(word), b.resembling(word)]
      const lead = errorsOf(word, inA) - errorsOf(word, inB)
      const fewest = lead < 0 ? inA : lead > 0 ? inB : union(inA, inB)
      return fewest.slice(0, MAX_TERMS)
    },
  }
}

/** In code unit order. */
function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])].sort()
}

/** All terms that resemble a word have the same number of typing errors. */
function errorsOf(word: string, [term]: readonly string[]): number {
  return term === undefined ? MAX_ERRORS + 1 : typingErrors(word, term, MAX_ERRORS)
}
