import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { isGatewayEntry } from '../config/is-gateway-entry.ts'
import { homeFolder } from '../system/data-folders.ts'
import type { CommandCall } from './command.ts'
import { UsageError } from './command-errors.ts'

/** What decides which configuration file a command uses. */
export type ConfigCall = Pick<CommandCall, 'values' | 'env' | 'cwd'>

/**
 * Finds the configuration file and loads it. Commands that only use the records of gateways need no servers
 * in the file.
 *
 * @throws UsageError
 */
export async function findConfig(
  call: ConfigCall,
  { needsServers = true }: { readonly needsServers?: boolean } = {},
): Promise<{ file: string; config: GatewayConfig }> {
  const file = findConfigFile(call)
  const [{ loadConfig }, { formatProblem }] = await Promise.all([
    import('../config/load-config.ts'),
    import('../config/config-problem.ts'),
  ])
  const read = await loadConfig(file, { env: call.env, needsServers })
  if ('problems' in read) throw new UsageError(read.problems.map(formatProblem).join('\n'))
  return { file, config: read.config }
}

/** The configuration file of `--config`, or the first in the standard locations. @throws UsageError */
export function findConfigFile({ values, env, cwd }: ConfigCall): string {
  if (typeof values.config === 'string') return resolve(cwd, values.config)
  if (env.TOOLSEARCH_CONFIG) return resolve(cwd, env.TOOLSEARCH_CONFIG)
  const configHome = env.XDG_CONFIG_HOME ?? join(homeFolder(env), '.config')
  const locations = [
    'toolsearch.json',
    '.mcp.json',
    join(configHome, 'toolsearch', 'toolsearch.json'),
  ]
  const found = locations
    .map((file) => resolve(cwd, file))
    .find((file) => existsSync(file) && !isClientFile(file))
  if (found !== undefined) return found
  throw new UsageError(
    `No configuration found. Looked for ${locations.join(', ')}.\n` +
      'Specify a file with --config FILE, or run toolsearch import to create one from your MCP clients.',
  )
}

/**
 * Whether a file only tells a client how to reach the gateway, as `.mcp.json` does for Claude Code. Such
 * a file contains no servers for the gateway itself.
 */
function isClientFile(file: string): boolean {
  if (basename(file) !== '.mcp.json') return false
  try {
    const { mcpServers, servers, toolsearch } = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries<Record<string, unknown>>({ ...mcpServers, ...servers })
    return toolsearch === undefined && entries.length > 0 && entries.every(isGateway)
  } catch {
    // Loading the file explains what is wrong with it.
    return false
  }
}

function isGateway([name, entry]: readonly [string, Record<string, unknown>]): boolean {
  if (isGatewayEntry(entry)) return true
  // The entry that `serve --http` prints.
  const isLocal = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+\/mcp$/.test(String(entry.url))
  return name === 'toolsearch' && isLocal
}
