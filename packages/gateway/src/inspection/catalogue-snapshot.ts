import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../offering/effect.ts'
import type { SetupProblem } from '../offering/setup-problems.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ToolLine, ToolList } from './api.ts'
import { type CostReport, costReport, toolCost } from './cost-report.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { type Finding, lintCatalogue } from './lint-catalogue.ts'
import { serverOf, summaryOf } from './tool-summary.ts'

/** What the reports say about all tools together. Same reference until the contents change. */
export interface CatalogueSnapshot {
  readonly list: ToolList
  readonly byName: ReadonlyMap<string, ToolLine>
  readonly cost: CostReport
  readonly findings: readonly Finding[]
}

/**
 * Returns a function that takes a snapshot. It computes a new one only when a tool, the list or an
 * approval changed: thousands of tools take a while.
 */
export function createCatalogueSnapshot({
  gateway,
}: Pick<InspectionTarget, 'gateway'>): () => CatalogueSnapshot {
  let basis: Basis | undefined
  let snapshot: CatalogueSnapshot | undefined
  let count = 0

  return () => {
    const { catalogue } = gateway.toolSearch
    const changed = gateway.changedTools()
    const now = {
      version: catalogue.version,
      listed: gateway.listTools(),
      changed: changed.join('\n'),
      setup: gateway.setupProblems(),
    }
    const isSame =
      basis?.version === now.version &&
      basis.listed === now.listed &&
      basis.changed === now.changed &&
      basis.setup === now.setup
    if (snapshot && isSame) return snapshot
    basis = now
    const listed = new Set(now.listed.map(({ name }) => name))
    const isChanged = new Set(changed)
    const offered = catalogue.sorted().map((tool) => ({
      name: tool.name,
      server: serverOf(tool),
      summary: summaryOf(tool),
      tokens: toolCost(tool),
      effect: effectOf(tool),
      isChanged: isChanged.has(tool.name),
      isPinned: listed.has(tool.name),
    }))
    const withheld = changed
      .filter((name) => !catalogue.has(name))
      .flatMap((name) => {
        const origin = gateway.origin(name)
        return origin ? withheldLine(name, origin) : []
      })
    const tools = [...offered, ...withheld].sort((a, b) => (a.name < b.name ? -1 : 1))
    snapshot = {
      list: { version: ++count, tools },
      byName: new Map(tools.map((line) => [line.name, line])),
      cost: costReport(catalogue.tools(), now.listed),
      findings: lintCatalogue(gateway.toolSearch, changed, now.setup),
    }
    return snapshot
  }
}

interface Basis {
  readonly version: number
  readonly listed: readonly McpTool[]
  readonly changed: string
  readonly setup: readonly SetupProblem[]
}

/** The line of a tool that models don't see because it changed. People must see it to review it. */
function withheldLine(name: string, { server, shown: tool }: ToolOrigin): ToolLine {
  const description = String(tool.description ?? '')
  const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
  const annotations = (isObject(tool.annotations) ? tool.annotations : {}) as ToolAnnotations
  return {
    name,
    server,
    summary: summaryOf({ description }),
    tokens: toolTokens({ name, description, inputSchema }, estimateTokens),
    effect: effectOf({ annotations }),
    isChanged: true,
    isPinned: false,
  }
}
