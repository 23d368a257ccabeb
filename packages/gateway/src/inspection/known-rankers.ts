import {
  bm25Ranker,
  claudeCode,
  cortex,
  dirge,
  everruns,
  hybridRanker,
  nexo,
  type Preset,
  unified,
} from 'toolsearch'

/** A way to rank that can be tried beside the one that serves. */
export interface KnownRanker {
  readonly id: string
  readonly title: string
  /** What the ranker calls itself. */
  readonly ranker: string
  load(): Promise<Preset>
}

/** Every way to rank that the library has. */
export const KNOWN_RANKERS: readonly KnownRanker[] = [
  known('unified', 'toolsearch, by words', 'fielded', unified),
  {
    id: 'hybrid',
    title: 'toolsearch, by words and meaning',
    ranker: 'hybrid',
    load: loadHybrid,
  },
  known('bm25', 'BM25', 'bm25', { ...unified, ranker: bm25Ranker }),
  known('claude-code', 'Claude Code', 'nexo', claudeCode),
  known('nexo', 'nexo', 'nexo', nexo),
  known('everruns', 'everruns', 'term-count', everruns),
  known('dirge', 'dirge', 'bigram', dirge),
  known('cortex', 'cortex', 'cortex', cortex),
]

function known(id: string, title: string, ranker: string, preset: Preset): KnownRanker {
  return { id, title, ranker, load: async () => preset }
}

async function loadHybrid(): Promise<Preset> {
  const { loadStaticEmbedder } = await import('toolsearch-semantics')
  // its table is large, and read only when somebody wants to rank by it
  return { ...unified, ranker: () => hybridRanker({ vectors: loadStaticEmbedder() }) }
}
