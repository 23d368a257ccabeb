import { claudeCode, cortex, dirge, everruns, nexo, type Preset, unified } from 'toolsearch'
import { bm25Ranker } from 'toolsearch/rankers'
import { openRanker } from '../offering/open-ranker.ts'

/** A ranker that can be compared with the one agents use. */
export interface KnownRanker {
  readonly id: string
  readonly title: string
  /** The ranker's own `name`. */
  readonly ranker: string
  load(): Promise<Preset>
}

/** Every ranker of the library. */
export const KNOWN_RANKERS: readonly KnownRanker[] = [
  known('unified', 'Keywords', 'fielded', unified),
  {
    id: 'hybrid',
    title: 'Keywords + semantics',
    ranker: 'hybrid',
    load: loadHybrid,
  },
  known('bm25', 'BM25', 'bm25', { ...unified, ranker: bm25Ranker }),
  known('claude-code', 'Claude Code', 'nexo', claudeCode),
  // nexo searches only tools that were deferred on request
  known('nexo', 'nexo', 'nexo', { ...nexo, deferral: { mcp: 'deferred' } }),
  known('everruns', 'everruns', 'term-count', everruns),
  known('dirge', 'dirge', 'bigram', dirge),
  known('cortex', 'cortex', 'cortex', cortex),
]

function known(id: string, title: string, ranker: string, preset: Preset): KnownRanker {
  return { id, title, ranker, load: async () => preset }
}

/** Reads the embedding table, which is large, when the ranker is used. */
async function loadHybrid(): Promise<Preset> {
  const { create } = await openRanker(
    { ranking: 'words-and-meaning', translateQueries: true },
    // The ranker that agents use has reported what is missing.
    { cacheDir: false, warn: () => {} },
  )
  return { ...unified, ranker: create }
}
