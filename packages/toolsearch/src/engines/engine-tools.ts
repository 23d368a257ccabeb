import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { readNeeds } from '../query/read-needs.ts'
import type { RemoteSearch } from '../session/remote-tools.ts'
import type { ToolAccess, ToolDivision } from '../session/tool-division.ts'
import type { ToolSet } from '../session/tool-set.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import { toolWords } from '../tool-search/catalogue-words.ts'
import type { SearchRequest } from '../tool-search/finders/finder.ts'
import { withoutServer } from '../tool-search/name-index.ts'
import { nameKey } from '../tool-search/name-key.ts'
import { findTools, type Search } from '../tool-search/run-search.ts'
import type { CandidateWord, EngineReader, EngineScope } from './candidate-engine.ts'
import { candidateRanker } from './candidate-ranker.ts'
import { mentions, ranksTools } from './mentions.ts'
import { createTermKnowledge } from './term-knowledge.ts'
import type { ToolIndex } from './tool-index.ts'
import { createWorkingSet } from './working-set.ts'

export interface EngineToolsOptions {
  readonly engine: EngineReader
  readonly index: ToolIndex
  readonly scope: EngineScope
  /** Decides about each tool that the engine returns, on top of the scope. */
  readonly access?: ToolAccess | undefined
  /** How many candidates to fetch for a query. */
  readonly candidates: number
  readonly searchToolName: string
  readonly countTokens: CountTokens
}

/** A tool set that holds the tools of an engine that one conversation uses. */
export interface EngineTools extends ToolSet {
  readonly remote: NonNullable<ToolSet['remote']>
}

/** Names are not longer, so a longer one need not be looked up. */
const MAX_NAME = 128
/** A query has at most some lookups per word. A longer one is a document. */
const MAX_LOOKUPS = 4_000
const MAX_SIMILAR = 50
const MAX_MISSING = 20
/** A need of a query gets this part of the candidates: the ranking uses only the best. */
const NEEDS = 4
/** If access rejects candidates, this many times as many are fetched, then as many again. */
const MORE = 4
const MAX_CANDIDATES = 8_000
const NONE: readonly string[] = []

export function createEngineTools(options: EngineToolsOptions): EngineTools {
  const { engine, index, scope, access, searchToolName, countTokens } = options
  const working = createWorkingSet()
  const terms = createTermKnowledge((request) => engine.terms(request, scope))
  /** By key, the names with that key. */
  let spelled: ReadonlyMap<string, readonly string[]> = new Map()
  /** By prefix, how many tools there are beyond those that were fetched. */
  let beyondPrefix: ReadonlyMap<string, number> = new Map()
  /** The number of tools in the scope; undefined if `access` decides about each. */
  let count: number | undefined
  let division: ToolDivision | undefined
  let dividedFor: unknown

  const ranker = candidateRanker({
    index,
    tools: () => divide().visible,
    knowledge: terms,
  })

  return {
    tools: {
      version: 0,
      tools: working.tools,
      get: working.get,
      has: (name) => working.get(name) !== undefined,
    },
    ranker: () => ranker,
    names: () => ({ find: (spelling) => spelled.get(nameKey(spelling)) ?? NONE }),
    divider: () => divide,
    remote: {
      async keep(names, called) {
        const unique = new Set([...names, ...called])
        const [tools] = await Promise.all([fetchTools(unique), countTools()])
        const known = new Set(tools.map(({ name }) => name))
        const missing = [...new Set(called)].filter((name) => !known.has(name))
        const similar = await Promise.all(missing.slice(0, MAX_MISSING).map(fetchSimilar))
        working.keep([...tools, ...similar.flat()])
      },
      async fetch(names) {
        working.add(await fetchTools(names))
      },
      async find(request, search) {
        await prepare(request, search)
        const found = findTools(request, search.view(), search.behaviour)
        await prepareAdvice(found)
        return found
      },
      release: working.release,
      beyond: (prefix) => beyondPrefix.get(prefix) ?? 0,
      words: {
        get tools() {
          return terms.tools()
        },
        frequency: (stem) => Math.max(1, terms.frequency(stem)),
      },
      fork: () => createEngineTools(options),
    },
  }

  /** Fetches what a search looks up by name, and what it ranks. */
  async function prepare(request: SearchRequest, search: RemoteSearch): Promise<void> {
    const { query } = request
    const nothing = { ...ranker, rank: () => ({ hits: [] }) }
    const { names, spellings, prefixes } = mentions(request, search, nothing)
    working.release(NONE)
    terms.reset()
    const parts = query.kind === 'words' ? partsOf(query) : []
    const [words, ...found] = await Promise.all([
      Promise.all(parts.map(readWords)),
      fetchTools(names),
      fetchSpelled(spellings),
      fetchLists(prefixes),
      countTools(),
    ])
    for (const tools of found) working.find(tools ?? [])
    if (!ranksTools(request, search)) return
    const best = parts.map((part, at) => fetchBest(part, words[at]!))
    for (const tools of await Promise.all(best)) working.find(tools)
  }

  /** Fetches what the advice of a search is made of: similar names, and how common words are. */
  async function prepareAdvice({ unknownNames, next }: Search): Promise<void> {
    const words = next.flatMap((tool) => [...toolWords(tool).keys()])
    const similar = await Promise.all([...unknownNames.map(fetchSimilar), terms.learn(words)])
    working.find(similar.flatMap((tools) => tools ?? []))
  }

  function divide(): ToolDivision {
    const tools = working.tools()
    if (division === undefined || dividedFor !== tools || division.beyond !== countBeyond(tools)) {
      dividedFor = tools
      division = createDivision(tools)
    }
    return division
  }

  function createDivision(tools: readonly Tool[]): ToolDivision {
    const visible = tools.filter(({ name }) => name !== searchToolName)
    const nameConflicts = visible.length < tools.length ? [searchToolName] : []
    let tokens: number | undefined
    return {
      visible,
      eager: [],
      deferrable: visible,
      alwaysDeferred: [],
      beyond: countBeyond(tools),
      skills: [],
      nameConflicts,
      get: (name) => (name === searchToolName ? undefined : working.get(name)),
      skill: () => undefined,
      isConcealed(name) {
        if (access === undefined || working.get(name) !== undefined) return false
        return !access.isAllowedName?.(name)
      },
      deferral: () => 'deferred',
      definitionTokens() {
        tokens ??= visible.reduce((sum, tool) => sum + toolTokens(tool, countTokens), 0)
        return tokens
      },
    }
  }

  function countBeyond(tools: readonly Tool[]): number {
    return Math.max(0, (count ?? 0) - tools.length)
  }

  async function fetchTools(names: Iterable<string>): Promise<readonly Tool[]> {
    const wanted = [...names].filter((name) => name.length <= MAX_NAME).slice(0, MAX_LOOKUPS)
    return wanted.length === 0 ? [] : allowed(await engine.get(wanted, scope))
  }

  async function fetchSpelled(spellings: Iterable<string>): Promise<readonly Tool[]> {
    const keys = new Set([...spellings].map(nameKey))
    const wanted = [...keys].filter((key) => key !== '' && key.length <= MAX_NAME)
    const tools =
      wanted.length === 0 ? [] : allowed(await engine.spelled(wanted.slice(0, MAX_LOOKUPS), scope))
    spelled = groupBy(
      tools.map(({ name }) => name),
      (name) => nameKey(withoutServer(name)),
    )
    return tools
  }

  async function fetchLists(prefixes: Iterable<string>): Promise<readonly Tool[]> {
    const lists = await Promise.all(
      [...prefixes].map(async (prefix) => {
        const { tools, count } = await engine.startingWith(prefix, options.candidates, scope)
        // Only the tools that the caller may see count, and those beyond the list are not known.
        const beyond = access?.names || !access ? Math.max(0, count - tools.length) : 0
        return { prefix, tools: allowed(tools), beyond }
      }),
    )
    beyondPrefix = new Map(lists.map(({ prefix, beyond }) => [prefix, beyond]))
    return lists.flatMap(({ tools }) => tools)
  }

  /** The queries that the ranker ranks: the whole one, and one for each need. */
  function partsOf(query: WordsQuery): readonly QueryPart[] {
    const { whole, needs } = index.hasRules ? readNeeds(query) : { whole: query, needs: [] }
    const few = Math.ceil(options.candidates / NEEDS)
    return [
      { query: whole, enough: options.candidates },
      ...needs.map((need) => ({ query: need, enough: few })),
    ]
  }

  async function readWords({ query }: QueryPart): Promise<readonly CandidateWord[]> {
    const translated = index.ranker.translate?.(query)
    const words = await terms.read(query)
    return translated ? [...words, ...(await terms.read(translated))] : words
  }

  async function fetchBest(
    { query: { text, required }, enough }: QueryPart,
    words: readonly CandidateWord[],
  ): Promise<readonly Tool[]> {
    for (let limit = enough; ; limit = Math.min(limit * MORE, MAX_CANDIDATES)) {
      const request = { text, words, tools: terms.tools(), required, limit, scope }
      const tools = await engine.candidates(request)
      const visible = allowed(tools)
      const isEnough = visible.length >= Math.min(enough, tools.length)
      if (isEnough || tools.length < limit || limit >= MAX_CANDIDATES) return visible
    }
  }

  async function fetchSimilar(name: string): Promise<readonly Tool[]> {
    return allowed(await engine.similar(name.slice(0, MAX_NAME), MAX_SIMILAR, scope))
  }

  function allowed(tools: readonly Tool[]): readonly Tool[] {
    return access ? tools.filter((tool) => access.isAllowed(tool)) : tools
  }

  async function countTools(): Promise<void> {
    if (!access || access.names) count = await engine.count(scope)
  }
}

interface QueryPart {
  readonly query: WordsQuery
  /** How many candidates to fetch. */
  readonly enough: number
}

function groupBy(
  names: readonly string[],
  keyOf: (name: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) groups.set(keyOf(name), [...(groups.get(keyOf(name)) ?? []), name])
  return groups
}
