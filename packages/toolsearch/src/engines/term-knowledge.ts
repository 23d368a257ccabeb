import type { TermStatistics } from '../ranking/ranker.ts'
import { joinVocabularies } from '../words/join-vocabularies.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { TermFacts, TermsRequest } from './candidate-engine.ts'

/**
 * What is known about the terms of all tools of an engine. A term that nobody has asked for yet counts
 * as absent, and is in the next request.
 */
export interface TermKnowledge {
  readonly vocabulary: Vocabulary
  tools(): number
  frequency(term: string): number
  /** Whether the engine was asked about a term, about terms with a prefix, or about similar terms. */
  isKnown(term: string, what?: 'startingWith' | 'resembling'): boolean
  /** What is missing since the last answer; undefined if nothing is. */
  request(): TermsRequest | undefined
  answer(request: TermsRequest, facts: TermFacts): void
}

/** More terms than this in one search are a document. The rest counts as absent. */
const MAX_TERMS = 4_000
const MAX_GUESSES = 64
const NONE: readonly string[] = []

export function createTermKnowledge(): TermKnowledge {
  const frequencies = new Map<string, number>()
  const startingWith = new Map<string, readonly string[]>()
  const resembling = new Map<string, readonly string[]>()
  const terms = new Set<string>()
  const prefixes = new Set<string>()
  const misspelled = new Set<string>()
  let tools = 0

  return {
    vocabulary: {
      has: (term) => frequency(term) > 0,
      startingWith: (prefix) => guess(startingWith, prefixes, prefix),
      resembling: (word) => guess(resembling, misspelled, word),
    },
    tools: () => tools,
    frequency,
    isKnown(term, what) {
      if (what === undefined) return frequencies.has(term) || frequencies.size >= MAX_TERMS
      const known = what === 'startingWith' ? startingWith : resembling
      return known.has(term) || known.size >= MAX_GUESSES
    },
    request() {
      if (terms.size + prefixes.size + misspelled.size === 0) return undefined
      const request = { terms: [...terms], prefixes: [...prefixes], misspelled: [...misspelled] }
      for (const set of [terms, prefixes, misspelled]) set.clear()
      return request
    },
    answer(request, facts) {
      tools = facts.tools
      for (const term of request.terms) frequencies.set(term, facts.frequencies.get(term) ?? 0)
      // Guessed terms exist, so their frequencies are known as well.
      for (const [term, count] of facts.frequencies) frequencies.set(term, count)
      for (const prefix of request.prefixes) {
        startingWith.set(prefix, facts.startingWith.get(prefix) ?? NONE)
      }
      for (const word of request.misspelled) {
        resembling.set(word, facts.resembling.get(word) ?? NONE)
      }
    },
  }

  function frequency(term: string): number {
    const known = frequencies.get(term)
    if (known === undefined && frequencies.size < MAX_TERMS) terms.add(term)
    return known ?? 0
  }

  function guess(
    known: ReadonlyMap<string, readonly string[]>,
    wanted: Set<string>,
    word: string,
  ): readonly string[] {
    const found = known.get(word)
    // Before the word itself is known to be absent, nobody has to guess what it stands for.
    if (found === undefined && frequencies.get(word) === 0 && known.size < MAX_GUESSES) {
      wanted.add(word)
    }
    return found ?? NONE
  }
}

/** The statistics of all tools but those that `indexed` has: together they are those of all tools. */
export function otherTools(
  all: Pick<TermKnowledge, 'vocabulary' | 'tools' | 'frequency'>,
  indexed: TermStatistics,
): TermStatistics {
  return {
    vocabulary: all.vocabulary,
    tools: () => Math.max(0, all.tools() - indexed.tools()),
    length: () =>
      (indexed.length() / Math.max(1, indexed.tools())) *
      Math.max(0, all.tools() - indexed.tools()),
    frequency: (term) => Math.max(0, all.frequency(term) - indexed.frequency(term)),
  }
}

/** The statistics of two sets of tools together. */
export function joinStatistics(
  one: TermStatistics,
  other: TermStatistics | undefined,
): TermStatistics {
  if (other === undefined) return one
  return {
    vocabulary: joinVocabularies(one.vocabulary, other.vocabulary),
    tools: () => one.tools() + other.tools(),
    length: () => one.length() + other.length(),
    frequency: (term) => one.frequency(term) + other.frequency(term),
  }
}
