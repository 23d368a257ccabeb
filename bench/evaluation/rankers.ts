import {
  bigramRanker,
  bm25Ranker,
  cortexRanker,
  createToolSearch,
  fieldedRanker,
  hybridRanker,
  nexoRanker,
  type PresetOverrides,
  type Ranker,
  type Ranking,
  type ToolDefinition,
  termCountRanker,
  weightedTermsRanker,
} from 'toolsearch'
import type { EvaluatedSearch, FoundTools } from 'toolsearch/evaluation'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'
import { answerOf } from './answer-of.ts'

/** Creates a search over these tools. `npm run eval` times only the searches. */
export type CreateSearch = (
  tools: readonly ToolDefinition[],
) => EvaluatedSearch | Promise<EvaluatedSearch>

/** The searches that users get. The others are bare rankers. */
export const WHOLE_SEARCHES: Readonly<Record<string, PresetOverrides>> = {
  unified: {},
  'unified-hybrid': { ranker: hybrid },
}

/** The values of `--ranker` and `--baseline`. */
export const RANKERS: Readonly<Record<string, CreateSearch>> = {
  unified: whole(WHOLE_SEARCHES.unified!),
  'unified-hybrid': whole(WHOLE_SEARCHES['unified-hybrid']!),
  fielded: bare(fieldedRanker),
  hybrid: bare(hybrid),
  bm25: bare(bm25Ranker),
  nexo: bare(nexoRanker),
  cortex: bare(cortexRanker),
  'term-count': bare(termCountRanker),
  'weighted-terms': bare(weightedTermsRanker),
  bigram: bare(bigramRanker),
}

function hybrid(): Ranker {
  return hybridRanker({ vectors: loadStaticEmbedder() })
}

/** The complete search that users get, with exact names, score band and confidence. */
function whole(overrides: PresetOverrides): CreateSearch {
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
