import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { OtherLayer, Ranker, Ranking, RankOptions } from '../ranking/ranker.ts'
import { rarityOf } from '../ranking/rarity-of.ts'
import { ruleRanker } from '../ranking/rule-ranker.ts'
import { readQueryWords } from '../ranking/tool-terms.ts'
import type { CandidateWord } from './candidate-engine.ts'
import { joinStatistics, otherTools, type TermKnowledge } from './term-knowledge.ts'
import type { ToolIndex } from './tool-index.ts'

export interface CandidateRankerOptions {
  readonly index: ToolIndex
  /** The tools to rank: those that the engine has found so far. */
  tools(): readonly Tool[]
  knowledge(): TermKnowledge
  /** Whether the candidates of a query have been fetched. If not, they are requested. */
  hasCandidates(query: WordsQuery, words: readonly CandidateWord[]): boolean
}

const NOTHING: Ranking = { hits: [] }

/**
 * Ranks the candidates of an engine as if all tools of the engine were in the index: the weight of a
 * word depends on how many tools of the engine contain it. As long as something is missing for that,
 * it finds nothing.
 */
export function candidateRanker(options: CandidateRankerOptions): Ranker {
  const { index, tools, knowledge, hasCandidates } = options
  const { ranker } = index
  const { terms: indexed } = ranker
  const core: Ranker = {
    name: ranker.name,
    set() {},
    delete() {},
    ...(ranker.prepare && { prepare: ranker.prepare }),
    ...(ranker.vectors && { vectors: ranker.vectors }),
    ...(ranker.vectorSums && { vectorSums: ranker.vectorSums }),
    ...(indexed && {
      terms: {
        vocabulary: {
          has: (term) => knowledge().vocabulary.has(term),
          startingWith: (prefix) => knowledge().vocabulary.startingWith(prefix),
          resembling: (word) => knowledge().vocabulary.resembling(word),
        },
        tools: () => knowledge().tools(),
        length: () => (indexed.length() / Math.max(1, indexed.tools())) * knowledge().tools(),
        frequency: (term) => knowledge().frequency(term),
      },
    }),
    ...(ranker.peaks && {
      peaks: (query, { accepts, otherLayer }) =>
        ranker.peaks!(query, { accepts: include(accepts), otherLayer: layerFor(otherLayer) }),
    }),
    rank(query, options) {
      const words = readWords(query)
      if (words === undefined || !hasCandidates(query, words)) return NOTHING
      const used = new Set<string>()
      const { rejected: _, ...ranking } = ranker.rank(query, {
        ...options,
        accepts: include(options.accepts),
        otherLayer: layerFor(options.otherLayer, used),
      })
      // A ranker may use words that the query does not contain, such as translations.
      for (const { terms } of words) for (const { term } of terms) used.delete(term)
      const others = [...used].map((term) => toWord([{ term, weight: 1 }]))
      if (others.length > 0) hasCandidates(query, [...words, ...others])
      return ranking
    },
  }
  return index.hasRules ? ruleRanker(core) : core

  /** Undefined if the engine has to be asked about a word. */
  function readWords(query: WordsQuery): readonly CandidateWord[] | undefined {
    let isComplete = true
    const { vocabulary, isKnown } = knowledge()
    const asked = {
      ...vocabulary,
      has(term: string) {
        if (!isKnown(term)) isComplete = false
        return vocabulary.has(term)
      },
      startingWith(prefix: string) {
        const found = vocabulary.startingWith(prefix)
        if (!isKnown(prefix, 'startingWith')) isComplete = false
        return found
      },
      resembling(word: string) {
        const found = vocabulary.resembling(word)
        if (!isKnown(word, 'resembling')) isComplete = false
        return found
      },
    }
    const words = readQueryWords(query, asked)
    if (!isComplete) return undefined
    return words
      .filter(({ alternatives }) => alternatives.length > 0)
      .map(({ weight, alternatives }) =>
        toWord(alternatives.map((each) => ({ ...each, weight: each.weight * weight }))),
      )
  }

  function toWord(terms: readonly { term: string; weight: number }[]): CandidateWord {
    const { frequency, tools } = knowledge()
    return {
      terms: terms.map(({ term, weight }) => ({
        term,
        gain: weight * rarityOf(frequency(term), tools()),
        frequency: frequency(term),
      })),
    }
  }

  function include(accepts: RankOptions['accepts']): (tool: Tool) => boolean {
    const candidates = tools()
    index.include(candidates)
    const isCandidate = new Set(candidates)
    return accepts
      ? (tool) => isCandidate.has(tool) && accepts(tool)
      : (tool) => isCandidate.has(tool)
  }

  /** @param used receives the terms that occur in tools and that the ranker asks for */
  function layerFor(given: OtherLayer | undefined, used?: Set<string>): OtherLayer {
    if (indexed === undefined) return given ?? {}
    const all = knowledge()
    const counted = {
      ...all,
      frequency(term: string) {
        const count = all.frequency(term)
        if (count > 0) used?.add(term)
        return count
      },
    }
    return { ...given, terms: joinStatistics(otherTools(counted, indexed), given?.terms) }
  }
}
