import { DuplicateToolError } from '../catalogue/catalogue-errors.ts'
import { compareNames } from '../catalogue/compare-names.ts'
import { isEqual } from '../catalogue/is-equal.ts'
import type { Tool } from '../catalogue/tool.ts'
import { names as checkNames } from '../options/check-option.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { hasRequiredTerms } from '../ranking/has-required-terms.ts'
import { createTermReader } from '../ranking/tool-terms.ts'
import { withoutServer } from '../tool-search/name-index.ts'
import { nameKey } from '../tool-search/name-key.ts'
import { createVocabulary } from '../words/vocabulary.ts'
import type {
  CandidateEngine,
  CandidateWord,
  EngineChange,
  EngineScope,
} from './candidate-engine.ts'
import { checkSource, readTools, toStored } from './stored-tools.ts'

/**
 * An engine in the memory of this process, for tests and small catalogues. Its candidates are those
 * with the best keyword scores of all tools.
 */
export function createMemoryEngine(): CandidateEngine {
  const byName = new Map<string, Tool>()
  /** By term, the tools that contain it, by name, with the impact of the term. */
  const postings = new Map<string, Map<string, number>>()
  const vocabulary = createVocabulary()
  const readTerms = createTermReader()

  return {
    name: 'memory',
    async put(definitions) {
      return change(readTools(definitions), [])
    },
    async remove(names) {
      checkNames(names, 'names')
      return change([], [...new Set(names)])
    },
    async sync(source, definitions) {
      checkSource(source, 'source')
      const tools = readTools(definitions, source)
      for (const { name } of tools) {
        const existing = byName.get(name)
        if (existing && existing.source !== source) {
          throw new DuplicateToolError(name, existing.source, source)
        }
      }
      const listed = new Set(tools.map(({ name }) => name))
      const isGone = (tool: Tool) => tool.source === source && !listed.has(tool.name)
      const gone = [...byName.values()].filter(isGone)
      return change(
        tools,
        gone.map(({ name }) => name),
      )
    },
    get: async (names, scope) =>
      [...new Set(names)].flatMap((name) => byName.get(name) ?? []).filter(isIn(scope)),
    async spelled(keys, scope) {
      const wanted = new Set(keys)
      return inScope(scope).filter(({ name }) => wanted.has(nameKey(withoutServer(name))))
    },
    async startingWith(prefix, limit, scope) {
      const tools = inScope(scope)
        .filter(({ name }) => name.startsWith(prefix))
        .sort((a, b) => compareNames(a.name, b.name))
      return { tools: tools.slice(0, limit), count: tools.length }
    },
    async similar(name, limit, scope) {
      const close = closestNames(name, inScope(scope), limit)
      return close.flatMap((each) => byName.get(each) ?? [])
    },
    async terms({ terms, prefixes, misspelled }, scope) {
      const isVisible = isIn(scope)
      const frequency = (term: string) => {
        const names = [...(postings.get(term)?.keys() ?? [])]
        return names.filter((name) => isVisible(byName.get(name)!)).length
      }
      const isKnown = (term: string) => frequency(term) > 0
      const startingWith = new Map(
        prefixes.map((prefix) => [prefix, vocabulary.startingWith(prefix, isKnown)] as const),
      )
      const resembling = new Map(
        misspelled.map((word) => [word, vocabulary.resembling(word, isKnown)] as const),
      )
      const guessed = [...startingWith.values(), ...resembling.values()].flat()
      const frequencies = new Map(
        [...terms, ...guessed].map((term) => [term, frequency(term)] as const),
      )
      return { tools: inScope(scope).length, frequencies, startingWith, resembling }
    },
    async candidates({ words, required, limit, scope }) {
      const scores = scoreAll(words)
      const isCandidate = isIn(scope)
      return [...scores]
        .sort(([a, one], [b, other]) => other - one || compareNames(a, b))
        .map(([name]) => byName.get(name)!)
        .filter((tool) => isCandidate(tool) && hasRequiredTerms(tool, required, 'all'))
        .slice(0, limit)
    },
    count: async (scope) => inScope(scope).length,
  }

  function scoreAll(words: readonly CandidateWord[]): ReadonlyMap<string, number> {
    const scores = new Map<string, number>()
    for (const { terms } of words) {
      const best = new Map<string, number>()
      for (const { term, gain } of terms) {
        for (const [name, impact] of postings.get(term) ?? []) {
          best.set(name, Math.max(best.get(name) ?? 0, gain * impact))
        }
      }
      for (const [name, score] of best) scores.set(name, (scores.get(name) ?? 0) + score)
    }
    return scores
  }

  function inScope(scope: EngineScope): Tool[] {
    return [...byName.values()].filter(isIn(scope))
  }

  function change(tools: readonly Tool[], gone: readonly string[]): EngineChange {
    const counts = { added: 0, replaced: 0, removed: 0 }
    for (const name of gone) {
      if (!byName.has(name)) continue
      unindex(byName.get(name)!)
      byName.delete(name)
      counts.removed++
    }
    for (const given of tools) {
      // as from a database: a copy, so that nobody changes it
      const tool = JSON.parse(JSON.stringify(toStored(given))) as Tool
      const existing = byName.get(tool.name)
      if (existing && isEqual(existing, tool)) continue
      if (existing) unindex(existing)
      byName.set(tool.name, tool)
      index(tool)
      counts[existing ? 'replaced' : 'added']++
    }
    return counts
  }

  function index(tool: Tool): void {
    for (const { term, impact } of readTerms(tool)) {
      const names = postings.get(term) ?? new Map<string, number>()
      if (names.size === 0) vocabulary.add(term)
      postings.set(term, names.set(tool.name, impact))
    }
  }

  function unindex(tool: Tool): void {
    for (const { term } of readTerms(tool)) {
      const names = postings.get(term)
      names?.delete(tool.name)
      if (names?.size !== 0) continue
      postings.delete(term)
      vocabulary.delete(term)
    }
  }
}

function isIn({ names, sources }: EngineScope): (tool: Tool) => boolean {
  const allowed = names && new Set(names)
  const from = sources && new Set(sources)
  return ({ name, source }) => (allowed?.has(name) ?? true) && (from?.has(source) ?? true)
}
