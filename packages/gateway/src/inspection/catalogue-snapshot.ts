import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { SetupProblem } from '../offering/setup-problem.ts'
import type { WaitingTool } from '../offering/shared-tools.ts'
import type { ToolOrigin } from '../offering/synced-tools.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { HiddenTool, ToolLine, ToolList } from './api.ts'
import { type CostReport, costReport, toolCost } from './cost-report.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { type Finding, lintCatalogue } from './lint-catalogue.ts'
import { skillTokens } from './skill-report.ts'
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
  serviceProblems = () => NO_PROBLEMS,
}: Pick<InspectionTarget, 'gateway' | 'servers' | 'serviceProblems'>): () => CatalogueSnapshot {
  let basis: Basis | undefined
  let snapshot: CatalogueSnapshot | undefined
  let count = 0

  return () => {
    const { catalogue } = gateway.toolSearch
    const waiting = gateway.waitingTools()
    const changed = waiting.flatMap(({ name, kind }) => (kind === 'changed' ? [name] : []))
    const list = gateway.listTools()
    // Servers may have hidden tools only, so the catalogue does not tell whether they changed.
    const counts = [...servers.upstreams.values()].map(({ tools, skills }) => [
      tools.length,
      skills.length,
    ])
    const now = {
      listed: list,
      setup: gateway.setupProblems(),
      services: serviceProblems(),
      rest: JSON.stringify([catalogue.version, counts, waiting]),
    }
    const isSame =
      basis?.listed === now.listed &&
      basis.setup === now.setup &&
      basis.services === now.services &&
      basis.rest === now.rest
    if (snapshot && isSame) return snapshot
    basis = now
    const listed = new Set(list.map(({ name }) => name))
    const isChanged = new Set(changed)
    const offered = catalogue.sorted().map((tool) => ({
      name: tool.name,
      server: serverOf(tool),
      summary: summaryOf(tool),
      tokens: tool.skill ? skillTokens(gateway.origin(tool.name)!) : toolCost(tool),
      ...(tool.skill && { isSkill: true }),
      effect: effectOf(tool),
      isChanged: isChanged.has(tool.name),
      isPinned: listed.has(tool.name),
    }))
    const withheld = waiting
      .filter(({ name }) => !catalogue.has(name))
      .flatMap(({ name, kind }) => {
        const origin = gateway.origin(name)
        return origin ? withheldLine(name, origin, kind) : []
      })
    const tools = [...offered, ...withheld].sort((a, b) => (a.name < b.name ? -1 : 1))
    snapshot = {
      list: { version: ++count, tools, hidden: hiddenTools(gateway, servers) },
      byName: new Map(tools.map((line) => [line.name, line])),
      cost: costReport(catalogue.tools(), list),
      findings: lintCatalogue(gateway.toolSearch, changed, [...now.services, ...now.setup]),
    }
    return snapshot
  }
}

const NO_PROBLEMS: readonly SetupProblem[] = []

interface Basis {
  readonly listed: readonly McpTool[]
  readonly setup: readonly SetupProblem[]
  readonly services: readonly SetupProblem[]
  readonly rest: string
}

function hiddenTools(gateway: Gateway, { upstreams }: UpstreamSet): HiddenTool[] {
  const definitions = new Map(
    [...upstreams.values()].map(({ name, tools }) => [
      name,
      new Map(tools.map((tool) => [tool.name, tool])),
    ]),
  )
  return gateway.hiddenTools().flatMap((hidden) => {
    const tool = definitions.get(hidden.server)?.get(hidden.tool)
    if (!tool) return []
    const summary = summaryOf({ description: String(tool.description ?? '') })
    return { ...hidden, summary, effect: effectOf({ annotations: annotationsOf(tool) }) }
  })
}

function annotationsOf({ annotations }: McpTool): ToolAnnotations {
  return (isObject(annotations) ? annotations : {}) as ToolAnnotations
}

/** The line of a tool that models don't see until it is approved. People must see it to review it. */
function withheldLine(
  name: string,
  { server, shown: tool, skill }: ToolOrigin,
  kind: WaitingTool['kind'],
): ToolLine {
  const description = String(tool.description ?? '')
  const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
  const annotations = annotationsOf(tool)
  return {
    name,
    server,
    summary: summaryOf({ description }),
    tokens: skill
      ? skillTokens({ skill })
      : toolTokens({ name, description, inputSchema }, estimateTokens),
    ...(skill && { isSkill: true }),
    effect: effectOf({ annotations }),
    isChanged: kind === 'changed',
    isPinned: false,
    withheld: kind,
  }
}
