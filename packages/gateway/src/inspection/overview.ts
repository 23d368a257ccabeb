import type { Overview, RankerInfo, ServerReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { CostReport } from './cost-report.ts'
import type { InspectionTarget } from './inspection-target.ts'

/** Why the page cannot edit the configuration. */
export const NOT_EDITABLE =
  'This gateway was not opened from a configuration file, so there is no file to edit. Change the configuration in your code.'

/** @param origin the origin of the URL at which the request reached the gateway */
export function overview(
  target: InspectionTarget,
  { cost, findings }: CatalogueSnapshot,
  rankers: readonly RankerInfo[],
  origin: string,
): Overview {
  const { version, transport, configFile, config, snippet, editor, history } = target
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
    rankers,
    disabledServers: config()
      .servers.filter(({ disabled }) => disabled)
      .map(({ name }) => name),
    editing: editor ? { isPossible: true } : { isPossible: false, reason: NOT_EDITABLE },
    ...(history.isKept && {
      history: {
        days: config().historyDays,
        megabytes: config().historyMegabytes,
        folder: history.folder ?? '',
      },
    }),
  }
}

/** Reports the state of each server, in the order of the configuration. */
export function serverReports(
  { servers, config }: Pick<InspectionTarget, 'servers' | 'config'>,
  cost: CostReport,
): ServerReport[] {
  const connections = new Map(config().servers.map(({ name, connection }) => [name, connection]))
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
      isLocal: connections.get(name)?.kind === 'stdio',
    }
  })
}
