import type { Overview, RankerInfo, ServerReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { CostReport } from './cost-report.ts'
import type { Inspected } from './inspected.ts'

/** @param origin where this gateway was reached */
export function overview(
  inspected: Inspected,
  { cost, findings }: CatalogueSnapshot,
  rankers: readonly RankerInfo[],
  origin: string,
): Overview {
  const { version, transport, configFile, config, snippet } = inspected
  const url = transport === 'http' ? `${origin}/mcp` : undefined
  return {
    version,
    ...(url !== undefined && { url }),
    snippet: snippet(url),
    configFile,
    mode: config().mode,
    servers: serverReports(inspected, cost),
    cost,
    findings,
    rankers,
  }
}

/** How each server does, in the order of the configuration. */
export function serverReports(
  { servers }: Pick<Inspected, 'servers'>,
  cost: CostReport,
): ServerReport[] {
  const costs = new Map(cost.servers.map((one) => [one.server, one]))
  return [...servers.upstreams.values()].map(({ name, status }) => {
    const { state, detail, logOutput: lastWords, era, refused } = status
    return {
      name,
      state,
      ...(detail !== undefined && { detail }),
      lastWords,
      ...(era !== undefined && { era }),
      tools: costs.get(name)?.tools.length ?? 0,
      tokens: costs.get(name)?.tokens ?? 0,
      refused,
    }
  })
}
