import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../offering/effect.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { SetupProblem } from '../offering/setup-problems.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
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
    const changed = gateway.changedTools()
    const list = gateway.listTools()
    // Servers may have hidden tools only, so the catalogue does not tell whether they changed.
    const counts = [...servers.upstreams.values()].map(({ tools }) => tools.length)
    const now = {
      listed: list,
      setup: gateway.setupProblems(),
      rest: [catalogue.version, counts.join(), ...changed].join('\n'),
    }
    const isSame =
      basis?.listed === now.listed && basis.setup === now.setup && basis.rest === now.rest
    if (snapshot && isSame) return snapshot
    basis = now
    const listed = new Set(list.map(({ name }) => name))
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
      list: { version: ++count, tools, hidden: hiddenTools(gateway, servers, tools) },
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

/** The tools that servers have, but agents are not offered. */
function hiddenTools(
  gateway: Gateway,
  { upstreams }: UpstreamSet,
  shown: readonly ToolLine[],
): HiddenTool[] {
  const offered = new Map<string, Set<string>>()
  for (const { name } of shown) {
    const origin = gateway.origin(name)
    if (!origin) continue
    const names = offered.get(origin.server) ?? new Set()
    offered.set(origin.server, names.add(origin.tool.name))
  }
  return [...upstreams.values()].flatMap(({ name: server, tools }) =>
    tools
      .filter((tool) => !offered.get(server)?.has(tool.name))
      .map((tool) => ({
        server,
        tool: tool.name,
        summary: summaryOf({ description: String(tool.description ?? '') }),
        effect: effectOf({ annotations: annotationsOf(tool) }),
      }))
      .sort((a, b) => (a.tool < b.tool ? -1 : 1)),
  )
}

function annotationsOf({ annotations }: McpTool): ToolAnnotations {
  return (isObject(annotations) ? annotations : {}) as ToolAnnotations
}

/** The line of a tool that models don't see because it changed. People must see it to review it. */
function withheldLine(name: string, { server, shown: tool }: ToolOrigin): ToolLine {
  const description = String(tool.description ?? '')
  const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
  const annotations = annotationsOf(tool)
  return {
    name,
    server,
    summary: summaryOf({ description }),
    tokens: toolTokens({ name, description, inputSchema }, estimateTokens),
    effect: effectOf({ annotations }),
    isChanged: true,
    isPinned: false,
    withheld: 'changed',
  }
}
