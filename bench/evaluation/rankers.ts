import {
  cortex,
  createToolSearch,
  dirge,
  everruns,
  everrunsLatest,
  nexo,
  type ToolDefinition,
  type ToolSearchOptions,
} from 'toolsearch'
import type { EvaluatedSearch, FoundTools } from 'toolsearch/evaluation'
import {
  bm25Ranker,
  createLexicon,
  fieldedRanker,
  hybridRanker,
  type Lexicon,
  type Ranker,
  type Ranking,
  translatingRanker,
} from 'toolsearch/rankers'
import { loadEncoder } from 'toolsearch-encoder'
import { loadLexicon, loadStaticEmbedder } from 'toolsearch-semantics'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { answerOf } from './answer-of.ts'

/** Creates a search over these tools. `npm run bench -- eval` times only the searches. */
export type CreateSearch = (
  tools: readonly ToolDefinition[],
) => EvaluatedSearch | Promise<EvaluatedSearch>

/** The searches that users get. The others are bare rankers. */
export const WHOLE_SEARCHES: Readonly<Record<string, ToolSearchOptions>> = {
  unified: {},
  'unified-hybrid': { ranker: hybrid },
  'unified-languages': { ranker: () => translating(fieldedRanker()) },
  'unified-hybrid-languages': { ranker: () => translating(hybrid()) },
}

/** The values of `--ranker` and `--baseline`. */
export const RANKERS: Readonly<Record<string, CreateSearch>> = {
  ...Object.fromEntries(
    Object.entries(WHOLE_SEARCHES).map(([name, overrides]) => [name, whole(overrides)]),
  ),
  fielded: bare(fieldedRanker),
  hybrid: bare(hybrid),
  'fielded-languages': bare(() => translating(fieldedRanker())),
  'hybrid-languages': bare(() => translating(hybrid())),
  encoder: withEncoder((ranker) => ranker, bare),
  'unified-encoder': withEncoder(translating, (ranker) => whole({ ranker })),
  bm25: bare(bm25Ranker),
  nexo: bare(nexo.ranker),
  cortex: bare(cortex.ranker),
  'term-count': bare(everruns.ranker),
  'weighted-terms': bare(everrunsLatest.ranker),
  bigram: bare(dirge.ranker),
}

function hybrid(): Ranker {
  return hybridRanker({ vectors: loadStaticEmbedder() })
}

let lexicon: Lexicon | undefined

function translating(ranker: Ranker): Ranker {
  lexicon ??= createLexicon(loadLexicon())
  return translatingRanker({ ranker, lexicon })
}

/** The sentence encoder and the table. The vectors of the tools are computed before the first search. */
function withEncoder(
  wrap: (ranker: Ranker) => Ranker,
  searchWith: (create: () => Ranker) => CreateSearch,
): CreateSearch {
  return async (tools) => {
    const vectors = loadEncoder({ timeoutMs: 60_000 })
    const ranker = wrap(hybridRanker({ vectors: [vectors, loadStaticEmbedder()] }))
    const search = await searchWith(() => ranker)(tools)
    await vectors.settled()
    return async (query, limit) => {
      await ranker.prepare?.(query)
      return search(query, limit)
    }
  }
}

/** The complete search that users get, with exact names, score band and confidence. */
function whole(overrides: ToolSearchOptions): CreateSearch {
  return (tools) => {
    const toolSearch = createToolSearch({ tools, ...overrides })
    return (query, limit) => answerOf(toolSearch.search(query, { limit }))
  }
}

/** A ranker alone: every tool with a score is a result, and ties keep catalogue order. */
function bare(create: () => Ranker): CreateSearch {
  return (tools) => {
    const ranker = create()
    for (const tool of createCatalogue(tools).tools()) ranker.set(tool)
    return (text, limit) => {
      const query = parseQuery(text, { select: false, required: false })
      if (query.kind !== 'words') return []
      return rankedAnswer(ranker.rank(query, { limit, ties: 'catalogue' }))
    }
  }
}

function rankedAnswer({ hits, confidence }: EstimatedRanking): FoundTools {
  return {
    names: hits.map(({ tool }) => tool.name),
    ...(confidence !== undefined && { probability: confidence }),
  }
}

/** A ranking of a ranker that may estimate whether a tool the query needs is among the first five. */
interface EstimatedRanking extends Pick<Ranking, 'hits'> {
  readonly confidence?: number
}
