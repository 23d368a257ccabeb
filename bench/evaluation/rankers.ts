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
  type ToolDefinition,
  termCountRanker,
  weightedTermsRanker,
} from 'toolsearch'
import type { EvaluatedSearch } from 'toolsearch/evaluation'
import { loadEncoder } from 'toolsearch-encoder'
import { loadStaticEmbedder } from 'toolsearch-semantics'
import { createCatalogue } from '../../packages/toolsearch/src/catalogue/catalogue.ts'
import { parseQuery } from '../../packages/toolsearch/src/query/parse-query.ts'

/** Creates a search over these tools. `npm run eval` times only the searches. */
export type CreateSearch = (
  tools: readonly ToolDefinition[],
) => EvaluatedSearch | Promise<EvaluatedSearch>

/** The values of `--ranker` and `--baseline`. */
export const RANKERS: Readonly<Record<string, CreateSearch>> = {
  unified: whole({}),
  'unified-hybrid': whole({ ranker: hybrid }),
  fielded: bare(fieldedRanker),
  hybrid: bare(hybrid),
  encoder,
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

/** The sentence encoder and the table. The vectors of the tools are computed before the first search. */
async function encoder(tools: readonly ToolDefinition[]): Promise<EvaluatedSearch> {
  const vectors = loadEncoder({ timeoutMs: 60_000 })
  const ranker = hybridRanker({ vectors, lexical: hybrid() })
  const search = bare(() => ranker)(tools) as EvaluatedSearch
  await vectors.settled()
  return async (query, limit) => {
    await ranker.prepare?.(query)
    return search(query, limit)
  }
}

/** The complete search that users get, with exact names, score band and abstention. */
function whole(overrides: PresetOverrides): CreateSearch {
  return (tools) => {
    const toolSearch = createToolSearch({ tools, ...overrides })
    return (query, limit) => toolSearch.search(query, { limit }).hits.map((hit) => hit.tool.name)
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
      return ranker.rank(query, { limit, ties: 'catalogue' }).hits.map((hit) => hit.tool.name)
    }
  }
}
