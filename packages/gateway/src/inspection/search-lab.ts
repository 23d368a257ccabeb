import { createToolSearch, type Preset, type ToolSearch } from 'toolsearch'
import type { Gateway } from '../offering/gateway.ts'
import type { RankerInfo } from './api.ts'
import { KNOWN_RANKERS, type KnownRanker } from './known-rankers.ts'

/** The search that agents use, and searches with other rankers over the same tools to compare it with. */
export interface SearchLab {
  /** The ranker that agents use comes first. */
  rankers(): Promise<readonly RankerInfo[]>
  /**
   * Returns the search with this ranker, or `undefined` if there is no such ranker.
   * @default the ranker that agents use
   */
  toolSearch(ranker?: string): Promise<{ ranker: string; toolSearch: ToolSearch } | undefined>
  close(): void
}

export interface SearchLabOptions {
  /** A search that nobody used for this long is dropped to free its memory. @default 300_000 */
  readonly idleMs?: number
  readonly known?: readonly KnownRanker[]
}

interface Comparison {
  readonly toolSearch: ToolSearch
  readonly stop: () => void
  readonly timer: NodeJS.Timeout
}

export function createSearchLab(
  gateway: Pick<Gateway, 'toolSearch'>,
  { idleMs = 300_000, known = KNOWN_RANKERS }: SearchLabOptions = {},
): SearchLab {
  const comparisons = new Map<string, Comparison>()
  let available: Promise<Map<string, { info: RankerInfo; preset: Preset }>> | undefined

  async function list() {
    const serving = gateway.toolSearch
    const name = serving.preset.ranker().name
    const loaded = await Promise.all(
      known.map(async (each) => ({ ...each, preset: await each.load() })),
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
    const comparison = comparisons.get(id) ?? build(id, preset)
    comparison.timer.refresh()
    const { sources } = comparison.toolSearch
    for (const { source } of sources.notReady()) sources.remove(source)
    for (const state of gateway.toolSearch.sources.notReady()) sources.set(state)
    return comparison.toolSearch
  }

  function build(id: string, preset: Preset): Comparison {
    const serving = gateway.toolSearch
    const { maxLimit, defaultLimit } = serving.preset.selection
    const toolSearch = createToolSearch({
      preset,
      tools: serving.catalogue.tools(),
      activation: 'always',
      loading: 'none',
      // The same limits as agents have, but no rate limit: people search with every keystroke.
      selection: { maxLimit, defaultLimit },
      rateLimit: { calls: 0, windowMs: 0 },
    })
    const stop = serving.catalogue.subscribe(({ added, replaced, removed }) => {
      toolSearch.catalogue.remove(removed.map(({ name }) => name))
      toolSearch.catalogue.add([...replaced, ...added], { duplicates: 'replace' })
    })
    const timer = setTimeout(() => drop(id), idleMs).unref()
    const comparison = { toolSearch, stop, timer }
    comparisons.set(id, comparison)
    return comparison
  }

  function drop(id: string): void {
    const comparison = comparisons.get(id)
    clearTimeout(comparison?.timer)
    comparison?.stop()
    comparisons.delete(id)
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
      for (const id of [...comparisons.keys()]) drop(id)
    },
  }
}
