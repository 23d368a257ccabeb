import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { ToolAccess, ToolDivision } from '../session/tool-division.ts'
import type { ToolSet } from '../session/tool-set.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import { withoutServer } from '../tool-search/name-index.ts'
import { nameKey } from '../tool-search/name-key.ts'
import type { WantedTools } from '../tool-search/search-view.ts'
import type { CandidateWord, EngineReader, EngineScope } from './candidate-engine.ts'
import { candidateRanker } from './candidate-ranker.ts'
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

/** Words, names and candidates take one round each, then there may be translations and suggestions. */
const MAX_ROUNDS = 8
/** Names are not longer, so a longer one need not be looked up. */
const MAX_NAME = 128
/** A query has at most some lookups per word. A longer one is a document. */
const MAX_LOOKUPS = 4_000
const MAX_SIMILAR = 50
const MAX_MISSING = 20
/** A need of a query gets this part of the candidates. */
const NEEDS = 4
/** If access rejects candidates, this many times as many are fetched, then as many again. */
const MORE = 4
const MAX_CANDIDATES = 8_000
const NONE: readonly string[] = []

export function createEngineTools(options: EngineToolsOptions): EngineTools {
  const { engine, index, scope, access, searchToolName, countTokens } = options
  const working = createWorkingSet()
  let knowledge = createTermKnowledge()
  let wanted = createWanted()
  /** The number of tools in the scope; undefined if `access` decides about each. */
  let count: number | undefined
  let searches = 0
  let isRunning = false
  let division: ToolDivision | undefined
  let dividedFor: unknown

  const ranker = candidateRanker({
    index,
    tools: () => divide().visible,
    knowledge: () => knowledge,
    hasCandidates,
  })

  const set: EngineTools = {
    tools: { version: 0, tools: working.tools, get: find, has: (name) => find(name) !== undefined },
    ranker: () => ranker,
    names: () => ({ find: findSpelled }),
    divider: () => divide,
    remote: {
      async keep(names, called) {
        const unique = new Set([...names, ...called])
        const [tools] = await Promise.all([fetchTools([...unique]), countTools()])
        const known = new Set(tools.map(({ name }) => name))
        const missing = [...new Set(called)].filter((name) => !known.has(name))
        const similar = await Promise.all(
          missing.slice(0, MAX_MISSING).map((name) => fetchSimilar(name)),
        )
        working.keep([...tools, ...similar.flat()])
        if (searches === 0) working.release(NONE)
      },
      async fetch(names) {
        working.add(await fetchTools(names))
      },
      async complete(work) {
        searches++
        working.release(NONE)
        knowledge = createTermKnowledge()
        wanted = createWanted()
        try {
          for (let round = 0; ; round++) {
            const result = run(work)
            const requests = takeRequests()
            if (round === 0) requests.push(countTools)
            if (requests.length === 0 || round === MAX_ROUNDS) return result
            await Promise.all(requests.map((fetch) => fetch()))
          }
        } finally {
          searches--
        }
      },
      release(kept) {
        if (searches === 0) working.release(kept)
      },
      request,
      words: {
        get tools() {
          return knowledge.tools()
        },
        frequency: (stem) => Math.max(1, knowledge.frequency(stem)),
      },
      fork: () => createEngineTools(options),
    },
  }
  return set

  function run<Result>(work: () => Result): Result {
    isRunning = true
    try {
      return work()
    } finally {
      isRunning = false
    }
  }

  function divide(): ToolDivision {
    const tools = working.tools()
    if (division === undefined || dividedFor !== tools || division.unlisted !== unlisted(tools)) {
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
      onRequest: [],
      unlisted: unlisted(tools),
      skills: [],
      nameConflicts,
      get: (name) => (name === searchToolName ? undefined : find(name)),
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

  function unlisted(tools: readonly Tool[]): number {
    return Math.max(0, (count ?? 0) - tools.length)
  }

  function find(name: string): Tool | undefined {
    const tool = working.get(name)
    if (tool === undefined && isRunning && name.length <= MAX_NAME) want(wanted.names, name)
    return tool
  }

  function findSpelled(spelling: string): readonly string[] {
    const key = nameKey(spelling)
    if (key === '' || key.length > MAX_NAME) return NONE
    const names = wanted.spelled.get(key)
    if (names === undefined && isRunning) want(wanted.keys, key)
    return names ?? NONE
  }

  function hasCandidates(query: WordsQuery, words: readonly CandidateWord[]): boolean {
    const terms = words.flatMap(({ terms }) => terms.map(({ term }) => term))
    wanted.whole ??= query.text
    const fetched = wanted.fetched.get(query.text)
    if (fetched && terms.every((term) => fetched.has(term))) return true
    if (isRunning) wanted.candidates.set(query.text, { query, words, terms })
    return fetched !== undefined
  }

  /** Names that resemble a query matter only if there is nothing else to find. */
  function request(tools: WantedTools): number {
    const key = JSON.stringify(tools)
    const more = wanted.lists.get(key)
    if (more !== undefined) return more
    if (isRunning && isSettled()) wanted.requests.set(key, tools)
    return 0
  }

  function isSettled(): boolean {
    const { names, keys, candidates } = wanted
    return names.pending.size + keys.pending.size + candidates.size === 0
  }

  function takeRequests(): (() => Promise<void>)[] {
    const { names, keys, candidates, requests } = wanted
    const terms = knowledge.request()
    const found: (() => Promise<void>)[] = []
    if (terms) {
      const current = knowledge
      found.push(async () => current.answer(terms, await engine.terms(terms)))
    }
    if (names.pending.size > 0) {
      const list = take(names)
      found.push(async () => working.find(await fetchTools(list)))
    }
    if (keys.pending.size > 0) {
      const list = take(keys)
      found.push(() => fetchSpelled(list))
    }
    for (const each of candidates.values()) found.push(() => fetchCandidates(each))
    for (const [key, tools] of requests) found.push(() => fetchList(key, tools))
    candidates.clear()
    requests.clear()
    return found
  }

  async function fetchTools(names: readonly string[]): Promise<readonly Tool[]> {
    return names.length === 0 ? [] : allowed(await engine.get(names, scope))
  }

  async function fetchSpelled(keys: readonly string[]): Promise<void> {
    const tools = allowed(await engine.spelled(keys, scope))
    const { spelled } = wanted
    for (const key of keys) spelled.set(key, NONE)
    for (const { name } of tools) {
      const key = nameKey(withoutServer(name))
      spelled.set(key, [...(spelled.get(key) ?? NONE), name])
    }
    working.find(tools)
  }

  async function fetchCandidates({ query, words, terms }: WantedCandidates): Promise<void> {
    const { text, required } = query
    const { fetched } = wanted
    const wantedTools = { text, words, tools: knowledge.tools(), required, scope }
    // A query is searched as a whole first. Of each of its needs, the ranking uses only the best.
    const isWhole = text === wanted.whole
    const enough = isWhole ? options.candidates : Math.ceil(options.candidates / NEEDS)
    let limit = enough
    for (;;) {
      const tools = await engine.candidates({ ...wantedTools, limit })
      const visible = allowed(tools)
      working.find(visible)
      const isEnough = visible.length >= Math.min(enough, tools.length)
      if (isEnough || tools.length < limit || limit >= MAX_CANDIDATES) break
      limit = Math.min(limit * MORE, MAX_CANDIDATES)
    }
    fetched.set(text, new Set([...(fetched.get(text) ?? []), ...terms]))
  }

  async function fetchList(key: string, tools: WantedTools): Promise<void> {
    const { lists } = wanted
    if ('similarTo' in tools) {
      working.find(await fetchSimilar(tools.similarTo))
      lists.set(key, 0)
      return
    }
    const { startingWith: prefix } = tools
    const list = await engine.startingWith(prefix, options.candidates, scope)
    working.find(allowed(list.tools))
    // Only the tools that the caller may see count, and those beyond the list are not known.
    lists.set(key, access?.names || !access ? Math.max(0, list.count - list.tools.length) : 0)
  }

  async function fetchSimilar(name: string): Promise<readonly Tool[]> {
    return allowed(await engine.similar(name.slice(0, MAX_NAME), MAX_SIMILAR, scope))
  }

  function allowed(tools: readonly Tool[]): readonly Tool[] {
    return access ? tools.filter((tool) => access.isAllowed(tool)) : tools
  }

  async function countTools(): Promise<void> {
    if (access && !access.names) return
    count = await engine.count(scope)
  }
}

/** What a search has asked for in vain, and what it was answered. */
interface Wanted {
  readonly names: Lookups
  readonly keys: Lookups
  /** By key, the names with that key. */
  readonly spelled: Map<string, readonly string[]>
  /** The query that is searched first: the whole, and not one of its needs. */
  whole: string | undefined
  /** By query. */
  readonly candidates: Map<string, WantedCandidates>
  /** By query, the terms whose candidates have been fetched. */
  readonly fetched: Map<string, ReadonlySet<string>>
  readonly requests: Map<string, WantedTools>
  /** By request, how many matching tools there are beyond those fetched. */
  readonly lists: Map<string, number>
}

interface WantedCandidates {
  readonly query: WordsQuery
  readonly words: readonly CandidateWord[]
  readonly terms: readonly string[]
}

interface Lookups {
  readonly pending: Set<string>
  readonly done: Set<string>
}

function createWanted(): Wanted {
  return {
    names: { pending: new Set(), done: new Set() },
    keys: { pending: new Set(), done: new Set() },
    spelled: new Map(),
    whole: undefined,
    candidates: new Map(),
    fetched: new Map(),
    requests: new Map(),
    lists: new Map(),
  }
}

function want({ pending, done }: Lookups, value: string): void {
  if (!done.has(value) && done.size + pending.size < MAX_LOOKUPS) pending.add(value)
}

function take({ pending, done }: Lookups): readonly string[] {
  const values = [...pending]
  for (const value of values) done.add(value)
  pending.clear()
  return values
}
