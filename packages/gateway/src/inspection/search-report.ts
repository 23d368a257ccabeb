import { estimateTokens, type ToolSearch } from 'toolsearch'
import type { Gateway } from '../offering/gateway.ts'
import type { SearchReport } from './api.ts'
import { serverOf } from './server-of.ts'
import { summaryOf } from './summary-of.ts'

export interface SearchReportRequest {
  readonly query: string
  /** As many as an agent gets that does not say. */
  readonly limit?: number | undefined
  readonly ranker: string
  readonly toolSearch: ToolSearch
  /** @default performance.now */
  readonly now?: () => number
}

// several may search at once, and each is to be answered as if nobody had searched before
const DESKS = 64
let desk = 0

/** Makes a search as an agent would, and says why it went as it did. Leaves no trace of it. */
export async function searchReport(
  gateway: Pick<Gateway, 'searchIn'>,
  { query, limit, ranker, toolSearch, now = () => performance.now() }: SearchReportRequest,
): Promise<SearchReport> {
  const session = await toolSearch.session(`inspector-${desk++ % DESKS}`)
  await session.compacted()
  const start = now()
  const given = { query, ...(limit !== undefined && { max_results: limit }) }
  const reasons = { explain: true, nearMisses: 5 }
  const { outcome, result } = await gateway.searchIn(session, given, reasons)
  const milliseconds = now() - start
  const [block] = result.content ?? []
  const text = String(block?.text ?? '')
  return {
    query,
    ranker,
    form: outcome.form,
    milliseconds,
    hits: outcome.hits.map(({ tool, score, parts = [] }) => ({
      name: tool.name,
      server: serverOf(tool),
      summary: summaryOf(tool),
      ...(score !== undefined && { score }),
      parts,
    })),
    nearMisses: outcome.nearMisses ?? [],
    closest: outcome.closest,
    abstained: outcome.abstained,
    notReady: outcome.notReady.map(({ source, detail }) => ({
      server: serverOf({ source }),
      ...(detail !== undefined && { detail }),
    })),
    answer: { text, tokens: estimateTokens(text) },
  }
}
