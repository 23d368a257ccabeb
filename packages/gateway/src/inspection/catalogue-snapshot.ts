import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../offering/effect.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import type { WaitingTool } from '../offering/tool-listing.ts'
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
  let basis: { version: number; listed: readonly McpTool[]; waiting: string } | undefined
  let snapshot: CatalogueSnapshot | undefined
  let count = 0

  return () => {
    const { catalogue } = gateway.toolSearch
    const waiting = gateway.waitingTools()
    const changed = waiting.flatMap(({ name, kind }) => (kind === 'changed' ? [name] : []))
    const now = {
      version: catalogue.version,
      listed: gateway.listTools(),
      waiting: JSON.stringify(waiting),
    }
    const isSame =
      basis?.version === now.version && basis.listed === now.listed && basis.waiting === now.waiting
    if (snapshot && isSame) return snapshot
    basis = now
    const listed = new Set(now.listed.map(({ name }) => name))
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
        return origin ? { ...withheldLine(name, origin), ...approvalOf(kind) } : []
      })
    const tools = [...offered, ...withheld].sort((a, b) => (a.name < b.name ? -1 : 1))
    snapshot = {
      list: { version: ++count, tools },
      byName: new Map(tools.map((line) => [line.name, line])),
      cost: costReport(catalogue.tools(), now.listed),
      findings: lintCatalogue(gateway.toolSearch, changed),
    }
    return snapshot
  }
}

function approvalOf(
  kind: WaitingTool['kind'] | undefined,
): Pick<ToolLine, 'isChanged' | 'waiting'> {
  return { isChanged: kind === 'changed', ...(kind && { waiting: kind }) }
}

/** The line of a tool that models don't see until it is approved. People must see it to review it. */
function withheldLine(name: string, { server, tool }: ToolOrigin): Omit<ToolLine, 'isChanged'> {
  const description = String(tool.description ?? '')
  const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
  const annotations = (isObject(tool.annotations) ? tool.annotations : {}) as ToolAnnotations
  return {
    name,
    server,
    summary: summaryOf({ description }),
    tokens: toolTokens({ name, description, inputSchema }, estimateTokens),
    effect: effectOf({ annotations }),
    isPinned: false,
  }
}
