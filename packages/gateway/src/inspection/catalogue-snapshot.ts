import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../offering/effect.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { SetupProblem } from '../offering/setup-problems.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import type { WaitingTool } from '../offering/tool-listing.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { HiddenTool, ToolLine, ToolList } from './api.ts'
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
  servers,
}: Pick<InspectionTarget, 'gateway' | 'servers'>): () => CatalogueSnapshot {
  let basis: Basis | undefined
  let snapshot: CatalogueSnapshot | undefined
  let count = 0

  return () => {
    const { catalogue } = gateway.toolSearch
    const waiting = gateway.waitingTools()
    const changed = waiting.flatMap(({ name, kind }) => (kind === 'changed' ? [name] : []))
    const list = gateway.listTools()
    // Servers may have hidden tools only, so the catalogue does not tell whether they changed.
    const counts = [...servers.upstreams.values()].map(({ tools }) => tools.length)
    const now = {
      listed: list,
      setup: gateway.setupProblems(),
      rest: JSON.stringify([catalogue.version, counts, waiting]),
    }
    const isSame =
      basis?.listed === now.listed && basis.setup === now.setup && basis.rest === now.rest
    if (snapshot && isSame) return snapshot
    basis = now
    const listed = new Set(list.map(({ name }) => name))
    const kinds = new Map(waiting.map(({ name, kind }) => [name, kind]))
    const offered = catalogue.sorted().map((tool) => ({
      name: tool.name,
      server: serverOf(tool),
      summary: summaryOf(tool),
      tokens: toolCost(tool),
      effect: effectOf(tool),
      ...approvalOf(kinds.get(tool.name)),
      isPinned: listed.has(tool.name),
    }))
    const withheld = waiting
      .filter(({ name }) => !catalogue.has(name))
      .flatMap(({ name, kind }) => {
        const origin = gateway.origin(name)
        if (!origin) return []
        return { ...withheldLine(name, origin), ...approvalOf(kind), withheld: kind }
      })
    const tools = [...offered, ...withheld].sort((a, b) => (a.name < b.name ? -1 : 1))
    snapshot = {
      list: { version: ++count, tools, hidden: hiddenTools(gateway, servers) },
      byName: new Map(tools.map((line) => [line.name, line])),
      cost: costReport(catalogue.tools(), list),
      findings: lintCatalogue(gateway.toolSearch, changed, now.setup),
    }
    return snapshot
  }
}

interface Basis {
  readonly listed: readonly McpTool[]
  readonly setup: readonly SetupProblem[]
  readonly rest: string
}

/** The tools that the configuration hides, by server and name. */
function hiddenTools(gateway: Gateway, { upstreams }: UpstreamSet): HiddenTool[] {
  const hidden = gateway.hiddenTools().flatMap((each) => {
    const tool = upstreams.get(each.server)?.tools.find(({ name }) => name === each.tool)
    if (!tool) return []
    const description = String(tool.description ?? '')
    const effect = effectOf({ annotations: annotationsOf(tool) })
    return { ...each, summary: summaryOf({ description }), effect }
  })
  return hidden.sort((a, b) => compare(a.server, b.server) || compare(a.tool, b.tool))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function annotationsOf({ annotations }: McpTool): ToolAnnotations {
  return (isObject(annotations) ? annotations : {}) as ToolAnnotations
}

function approvalOf(
  kind: WaitingTool['kind'] | undefined,
): Pick<ToolLine, 'isChanged' | 'waiting'> {
  return { isChanged: kind === 'changed', ...(kind && { waiting: kind }) }
}

/** The line of a tool that models don't see until it is approved. People must see it to review it. */
function withheldLine(
  name: string,
  { server, shown: tool }: ToolOrigin,
): Omit<ToolLine, 'isChanged'> {
  const description = String(tool.description ?? '')
  const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
  const annotations = annotationsOf(tool)
  return {
    name,
    server,
    summary: summaryOf({ description }),
    tokens: toolTokens({ name, description, inputSchema }, estimateTokens),
    effect: effectOf({ annotations }),
    isPinned: false,
  }
}
