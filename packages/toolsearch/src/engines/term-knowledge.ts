import type { WordsQuery } from '../query/query.ts'
import type { QueryWord } from '../ranking/index-scheme.ts'
import type { TermStatistics } from '../ranking/ranker.ts'
import { rarityOf } from '../ranking/rarity-of.ts'
import { readQueryWords } from '../ranking/tool-terms.ts'
import { joinVocabularies } from '../words/join-vocabularies.ts'
import type { Vocabulary } from '../words/vocabulary.ts'
import type { CandidateWord, TermFacts, TermsRequest } from './candidate-engine.ts'

/** What an engine has said about terms. A term that it was not asked about counts as absent. */
export interface TermKnowledge {
  readonly vocabulary: Vocabulary
  tools(): number
  frequency(term: string): number
  /** Forgets everything: the catalogue may have changed. */
  reset(): void
  /** Asks about these terms. */
  learn(terms: readonly string[]): Promise<void>
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
    reset() {
      for (const known of [frequencies, startingWith, resembling]) known.clear()
    },
    async learn(terms) {
      await fetchFacts({ ...nothing(), terms: new Set(terms.filter(isUnknown)) })
    },
    async read(query) {
      for (;;) {
        const missing = nothing()
        const words = readQueryWords(query, vocabularyAsking(missing))
        if (!(await fetchFacts(missing))) {
          return words.filter(({ alternatives }) => alternatives.length > 0).map(toCandidateWord)
        }
      }
    },
  }

  /**
   * Collects what is not known yet. Nobody has to guess what a word stands for before it is known to be
   * absent.
   */
  function vocabularyAsking({ terms, prefixes, misspelled }: Missing): Vocabulary {
    return {
      has(term) {
        if (isUnknown(term)) terms.add(term)
        return frequency(term) > 0
      },
      startingWith: (prefix) => guess(prefix, startingWith, prefixes),
      resembling: (word) => guess(word, resembling, misspelled),
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

  /** Returns whether there was something to ask. */
  async function fetchFacts({ terms, prefixes, misspelled }: Missing): Promise<boolean> {
    if (terms.size + prefixes.size + misspelled.size === 0) return false
    const request = { terms: [...terms], prefixes: [...prefixes], misspelled: [...misspelled] }
    const facts = await ask(request)
    tools = facts.tools
    for (const term of terms) frequencies.set(term, 0)
    // Guessed terms exist, so their frequencies are known as well.
    for (const [term, count] of facts.frequencies) frequencies.set(term, count)
    for (const prefix of prefixes) startingWith.set(prefix, facts.startingWith.get(prefix) ?? NONE)
    for (const word of misspelled) resembling.set(word, facts.resembling.get(word) ?? NONE)
    return true
  }

  function isUnknown(term: string): boolean {
    return !frequencies.has(term) && frequencies.size < MAX_TERMS
  }

  function frequency(term: string): number {
    return frequencies.get(term) ?? 0
  }

  function toCandidateWord({ weight: ofWord, alternatives }: QueryWord): CandidateWord {
    return {
      terms: alternatives.map(({ term, weight }) => ({
        term,
        gain: weight * ofWord * rarityOf(frequency(term), tools),
        frequency: frequency(term),
      })),
    }
  }
}

type Missing = Readonly<Record<keyof TermsRequest, Set<string>>>

function nothing(): Missing {
  return { terms: new Set(), prefixes: new Set(), misspelled: new Set() }
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
