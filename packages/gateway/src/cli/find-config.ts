import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { formatProblem } from '../config/config-problem.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Reads the configuration that a command line names, or the one that is in a usual place. */
export async function findConfig({
  values,
  env,
}: Pick<CommandCall, 'values' | 'env'>): Promise<{ file: string; config: GatewayConfig }> {
  const file = resolve(chosenFile(values.config, env))
  const read = await loadConfig(file, { env })
  if ('problems' in read) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  return { file, config: read.config }
}

function chosenFile(given: unknown, env: CommandCall['env']): string {
  if (typeof given === 'string') return given
  if (env.TOOLSEARCH_CONFIG) return env.TOOLSEARCH_CONFIG
  const home = env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
  const usual = ['toolsearch.json', '.mcp.json', join(home, 'toolsearch', 'toolsearch.json')]
  const found = usual.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new UsageError(
    `There is no configuration: none of ${usual.join(', ')} exists.\n` +
      'Name one with --config FILE, or run toolsearch import to make one from the clients you have.',
  )
}
