import type { WordsQuery } from '../query/query.ts'
import type { TermStatistics } from '../ranking/ranker.ts'
import { rarityOf } from '../ranking/rarity-of.ts'
import { readQueryWords } from '../ranking/tool-terms.ts'
import { joinVocabularies } from '../words/join-vocabularies.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { CandidateTerm, CandidateWord, TermFacts, TermsRequest } from './candidate-engine.ts'

/** What an engine has said about terms. A term that it was not asked about counts as absent. */
export interface TermKnowledge {
  readonly vocabulary: Vocabulary
  tools(): number
  frequency(term: string): number
  /** Asks about these terms. */
  learn(terms: Iterable<string>): Promise<void>
  /** Asks about the words of a query, and about those that unknown ones may stand for. */
  read(query: WordsQuery): Promise<readonly CandidateWord[]>
}

/** More terms than this in one search are a document. The rest counts as absent. */
const MAX_TERMS = 4_000
const MAX_GUESSES = 64
const NONE: readonly string[] = []

export function createTermKnowledge(
  ask: (request: TermsRequest) => Promise<TermFacts>,
): TermKnowledge {
  const frequencies = new Map<string, number>()
  const startingWith = new Map<string, readonly string[]>()
  const resembling = new Map<string, readonly string[]>()
  let tools = 0

  return {
    vocabulary: {
      has: (term) => frequency(term) > 0,
      startingWith: (prefix) => startingWith.get(prefix) ?? NONE,
      resembling: (word) => resembling.get(word) ?? NONE,
    },
    tools: () => tools,
    frequency,
    async learn(terms) {
      const unknown = new Set([...terms].filter(isUnknown))
      if (unknown.size > 0)
        await fetchFacts({ terms: unknown, prefixes: new Set(), words: new Set() })
    },
    async read(query) {
      for (;;) {
        const missing = {
          terms: new Set<string>(),
          prefixes: new Set<string>(),
          words: new Set<string>(),
        }
        const words = readQueryWords(query, vocabularyAsking(missing))
        if (missing.terms.size + missing.prefixes.size + missing.words.size === 0) {
          return words.filter(({ alternatives }) => alternatives.length > 0).map(toCandidateWord)
        }
        await fetchFacts(missing)
      }
    },
  }

  /** Collects what is not known yet. Nobody has to guess what a word stands for before it is known to be absent. */
  function vocabularyAsking(missing: Missing): Vocabulary {
    return {
      has(term) {
        if (isUnknown(term)) missing.terms.add(term)
        return frequency(term) > 0
      },
      startingWith: (prefix) => guess(prefix, startingWith, missing.prefixes),
      resembling: (word) => guess(word, resembling, missing.words),
    }
  }

  function guess(
    word: string,
    known: ReadonlyMap<string, readonly string[]>,
    missing: Set<string>,
  ): readonly string[] {
    const found = known.get(word)
    const isAbsent = frequencies.get(word) === 0
    if (found === undefined && isAbsent && known.size < MAX_GUESSES) missing.add(word)
    return found ?? NONE
  }

  async function fetchFacts({ terms, prefixes, words }: Missing): Promise<void> {
    const facts = await ask({
      terms: [...terms],
      prefixes: [...prefixes],
      misspelled: [...words],
    })
    tools = facts.tools
    for (const term of terms) frequencies.set(term, 0)
    // Guessed terms exist, so their frequencies are known as well.
    for (const [term, count] of facts.frequencies) frequencies.set(term, count)
    for (const prefix of prefixes) startingWith.set(prefix, facts.startingWith.get(prefix) ?? NONE)
    for (const word of words) resembling.set(word, facts.resembling.get(word) ?? NONE)
  }

  function isUnknown(term: string): boolean {
    return !frequencies.has(term) && frequencies.size < MAX_TERMS
  }

  function frequency(term: string): number {
    return frequencies.get(term) ?? 0
  }

  function toCandidateWord({
    weight: ofWord,
    alternatives,
  }: ReturnType<typeof readQueryWords>[number]): CandidateWord {
    const terms = alternatives.map(({ term, weight }): CandidateTerm => {
      const gain = weight * ofWord * rarityOf(frequency(term), tools)
      return { term, gain, frequency: frequency(term) }
    })
    return { terms }
  }
}

interface Missing {
  readonly terms: Set<string>
  readonly prefixes: Set<string>
  readonly words: Set<string>
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
