import type { Overview, RankerInfo, ServerReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { CostReport } from './cost-report.ts'
import type { InspectionTarget } from './inspection-target.ts'

/** @param origin the origin of the URL at which the request reached the gateway */
export function overview(
  target: InspectionTarget,
  { cost, findings }: CatalogueSnapshot,
  rankers: readonly RankerInfo[],
  origin: string,
): Overview {
  const { gateway, version, transport, configFile, config, snippet } = target
  const url = transport === 'http' ? `${origin}/mcp` : undefined
  return {
    version,
    ...(url !== undefined && { url }),
    snippet: snippet(url),
    configFile,
    mode: config().mode,
    servers: serverReports(target, cost),
    cost,
    findings,
    hidden: gateway.hiddenTools(),
    rankers,
  }
}

/** Reports the state of each server, in the order of the configuration. */
export function serverReports(
  { servers }: Pick<InspectionTarget, 'servers'>,
  cost: CostReport,
): ServerReport[] {
  const costs = new Map(cost.servers.map((each) => [each.server, each]))
  return [...servers.upstreams.values()].map(({ name, status }) => {
    const { state, detail, logOutput, era, refused } = status
    return {
      name,
      state,
      ...(detail !== undefined && { detail }),
      logOutput,
      ...(era !== undefined && { era }),
      tools: costs.get(name)?.tools.length ?? 0,
      tokens: costs.get(name)?.tokens ?? 0,
      refused,
    }
  })
}
