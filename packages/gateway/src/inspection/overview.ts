import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
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

/** Whether a name stands for the folders with skills. No server has this name if there are folders. */
export function isSkillFolders(
  { config }: Pick<InspectionTarget, 'config'>,
  name: string,
): boolean {
  return name === LOCAL_SKILLS && config().skills.length > 0
}

/** Reports the state of each server, in the order of the configuration, and of the folders with skills. */
export function serverReports(
  target: Pick<InspectionTarget, 'servers' | 'config'>,
  cost: CostReport,
): ServerReport[] {
  const { servers, config } = target
  const connections = new Map(config().servers.map(({ name, connection }) => [name, connection]))
  const costs = new Map(cost.servers.map((each) => [each.server, each]))
  return [...servers.upstreams.values()].map(({ name, status, skills }) => {
    const { state, detail, logOutput, era, refused } = status
    return {
      name,
      state,
      ...(detail !== undefined && { detail }),
      logOutput,
      ...(era !== undefined && { era }),
      tools: costs.get(name)?.tools.length ?? 0,
      skills: skills.length,
      tokens: costs.get(name)?.tokens ?? 0,
      refused,
      isFolders: isSkillFolders(target, name),
      isLocal: connections.get(name)?.kind === 'stdio',
    }
  })
}
