import type { ToolExplanation, ToolSearch } from 'toolsearch'
import type { Inspected } from './inspected.ts'

export interface ExplainToolQuestion {
  readonly query: string
  readonly tool: string
  /** As many as an agent gets that does not say. */
  readonly limit?: number | undefined
  readonly toolSearch: ToolSearch
}

/** What becomes of a tool in a search, also of one that is kept from agents. */
export function explainTool(
  { gateway, config }: Pick<Inspected, 'gateway' | 'config'>,
  { query, tool, limit, toolSearch }: ExplainToolQuestion,
): ToolExplanation {
  if (config().pinDefinitions && gateway.changedTools().includes(tool)) {
    const text =
      `${tool} has changed since it was approved, and no search gives it until it is accepted: ` +
      `read it, then run toolsearch accept ${tool}.`
    return { tool, verdict: 'concealed', parts: [], text }
  }
  return toolSearch.explain(query, tool, limit === undefined ? {} : { limit })
}
