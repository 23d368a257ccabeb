import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Finds the configuration file and loads it. @throws UsageError */
export async function findConfig({
  values,
  env,
}: Pick<CommandCall, 'values' | 'env'>): Promise<{ file: string; config: GatewayConfig }> {
  const file = findConfigFile({ values, env })
  const [{ loadConfig }, { formatProblem }] = await Promise.all([
    import('../config/load-config.ts'),
    import('../config/config-problem.ts'),
  ])
  const read = await loadConfig(file, { env })
  if ('problems' in read) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  return { file, config: read.config }
}

/** The configuration file of `--config`, or the first in the standard locations. @throws UsageError */
export function findConfigFile({ values, env }: Pick<CommandCall, 'values' | 'env'>): string {
  if (typeof values.config === 'string') return resolve(values.config)
  if (env.TOOLSEARCH_CONFIG) return resolve(env.TOOLSEARCH_CONFIG)
  const configHome = env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
  const locations = [
    'toolsearch.json',
    '.mcp.json',
    join(configHome, 'toolsearch', 'toolsearch.json'),
  ]
  const found = locations.find((file) => existsSync(file))
  if (found !== undefined) return resolve(found)
  throw new UsageError(
    `No configuration found. Looked for ${locations.join(', ')}.\n` +
      'Specify a file with --config FILE, or run toolsearch import to create one from your MCP clients.',
  )
}
