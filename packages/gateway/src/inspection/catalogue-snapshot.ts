import { effectOf } from '../offering/effect.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ToolLine, ToolList } from './api.ts'
import { type CostReport, costReport } from './cost-report.ts'
import type { Inspected } from './inspected.ts'
import { type Finding, findProblems } from './lint-catalogue.ts'
import { serverOf } from './server-of.ts'
import { summaryOf } from './summary-of.ts'
import { toolCost } from './tool-cost.ts'
import { withheldTools } from './withheld-tools.ts'

/** What is known of all tools at once. */
export interface CatalogueSnapshot {
  /** The same object as long as nothing in it is another. */
  readonly list: ToolList
  readonly byName: ReadonlyMap<string, ToolLine>
  readonly cost: CostReport
  readonly findings: readonly Finding[]
}

/** Looks at all tools, again only when something about them is another: thousands take a while. */
export function createCatalogueSnapshot(
  inspected: Pick<Inspected, 'gateway' | 'servers'>,
): () => CatalogueSnapshot {
  const { gateway } = inspected
  let seen: { version: number; listed: readonly McpTool[]; changed: string } | undefined
  let survey: CatalogueSnapshot | undefined
  let count = 0

  return () => {
    const { catalogue } = gateway.toolSearch
    const changed = gateway.changedTools()
    const now = {
      version: catalogue.version,
      listed: gateway.listTools(),
      changed: changed.join('\n'),
    }
    const isSame =
      seen?.version === now.version && seen.listed === now.listed && seen.changed === now.changed
    if (survey && isSame) return survey
    seen = now
    const listed = new Set(now.listed.map(({ name }) => name))
    const isChanged = new Set(changed)
    const shown = catalogue.sorted().map((tool) => ({
      name: tool.name,
      server: serverOf(tool),
      summary: summaryOf(tool),
      tokens: toolCost(tool),
      effect: effectOf(tool),
      isChanged: isChanged.has(tool.name),
      isPinned: listed.has(tool.name),
    }))
    const hidden = withheldTools(
      inspected,
      changed.filter((name) => !catalogue.has(name)),
    )
    const tools = [...shown, ...hidden].sort((a, b) => (a.name < b.name ? -1 : 1))
    survey = {
      list: { version: ++count, tools },
      byName: new Map(tools.map((line) => [line.name, line])),
      cost: costReport(catalogue.tools(), now.listed),
      findings: findProblems(gateway.toolSearch, changed),
    }
    return survey
  }
}
