import { createToolSearch, type Preset, type ToolSearch } from 'toolsearch'
import type { Gateway } from '../offering/gateway.ts'
import type { RankerInfo } from './api.ts'
import { KNOWN_RANKERS, type KnownRanker } from './known-rankers.ts'

/** The search that serves agents, and others over the same tools to compare it with. */
export interface SearchLab {
  /** The one that serves is first. */
  rankers(): Promise<readonly RankerInfo[]>
  /** The search by one of them; nothing if there is none of that name. @default the one that serves */
  toolSearch(ranker?: string): Promise<{ ranker: string; toolSearch: ToolSearch } | undefined>
  close(): void
}

export interface SearchLabOptions {
  /** One that nobody asked for so long gives its memory back. @default 5 minutes */
  readonly idleMs?: number
  readonly known?: readonly KnownRanker[]
}

interface Bench {
  readonly toolSearch: ToolSearch
  readonly stop: () => void
  readonly timer: NodeJS.Timeout
}

export function createSearchLab(
  gateway: Pick<Gateway, 'toolSearch'>,
  { idleMs = 300_000, known = KNOWN_RANKERS }: SearchLabOptions = {},
): SearchLab {
  const benches = new Map<string, Bench>()
  let available: Promise<Map<string, { info: RankerInfo; preset: Preset }>> | undefined

  async function list() {
    const serving = gateway.toolSearch
    const name = serving.preset.ranker().name
    const loaded = await Promise.all(
      known.map(async (one) => ({ ...one, preset: await one.load() })),
    )
    const entries = loaded.map(({ id, title, ranker, preset }) => {
      const isServing = preset.preset === serving.preset.preset && ranker === name
      return { info: { id, title, isServing }, preset }
    })
    if (!entries.some(({ info }) => info.isServing)) {
      const title = `${serving.preset.preset}, ${name}`
      entries.push({ info: { id: 'serving', title, isServing: true }, preset: serving.preset })
    }
    entries.sort((a, b) => Number(b.info.isServing) - Number(a.info.isServing))
    return new Map(entries.map((entry) => [entry.info.id, entry]))
  }

  function open(id: string, preset: Preset): ToolSearch {
    const bench = benches.get(id) ?? build(id, preset)
    bench.timer.refresh()
    const { sources } = bench.toolSearch
    for (const { source } of sources.notReady()) sources.remove(source)
    for (const state of gateway.toolSearch.sources.notReady()) sources.set(state)
    return bench.toolSearch
  }

  function build(id: string, preset: Preset): Bench {
    const serving = gateway.toolSearch
    const { limitArguments, minLimit, maxLimit, defaultLimit } = serving.preset.selection
    const toolSearch = createToolSearch({
      preset,
      tools: serving.catalogue.tools(),
      activation: 'always',
      loading: 'none',
      // as many as the gateway gives, and as often as one types
      selection: { limitArguments, minLimit, maxLimit, defaultLimit },
      rateLimit: { calls: 0, windowMs: 0 },
    })
    const stop = serving.catalogue.subscribe(({ added, replaced, removed }) => {
      toolSearch.catalogue.remove(removed.map(({ name }) => name))
      toolSearch.catalogue.add([...replaced, ...added], { duplicates: 'replace' })
    })
    const timer = setTimeout(() => drop(id), idleMs).unref()
    const bench = { toolSearch, stop, timer }
    benches.set(id, bench)
    return bench
  }

  function drop(id: string): void {
    const bench = benches.get(id)
    clearTimeout(bench?.timer)
    bench?.stop()
    benches.delete(id)
  }

  return {
    async rankers() {
      available ??= list()
      return [...(await available).values()].map(({ info }) => info)
    },
    async toolSearch(ranker) {
      available ??= list()
      const entries = await available
      const entry = ranker === undefined ? [...entries.values()][0] : entries.get(ranker)
      if (!entry) return undefined
      const { id, isServing } = entry.info
      return { ranker: id, toolSearch: isServing ? gateway.toolSearch : open(id, entry.preset) }
    },
    close() {
      for (const id of [...benches.keys()]) drop(id)
    },
  }
}
