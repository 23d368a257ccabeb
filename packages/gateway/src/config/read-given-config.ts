import { resolve } from 'node:path'
import { ConfigError } from './config-error.ts'
import type { ConfigFile } from './config-file.ts'
import { formatProblem } from './config-problem.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { loadConfig } from './load-config.ts'
import { readConfig } from './read-config.ts'

/** The configuration of a gateway and where it comes from. */
export interface GivenConfig {
  /** The configuration file. For a configuration object: `toolsearch.json` in the working directory. */
  readonly file: string
  readonly config: GatewayConfig
}

/**
 * Reads what a caller of `openGateway` passes: a configuration, or the path of a configuration file.
 *
 * @throws ConfigError
 */
export async function readGivenConfig(
  given: ConfigFile | { readonly file: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<GivenConfig> {
  const mistake = mistakeIn(given)
  if (mistake) throw new ConfigError(mistake, [])
  if ('file' in given && typeof given.file === 'string') {
    const file = resolve(given.file)
    const read = await loadConfig(file, { env })
    if ('config' in read) return { file, config: read.config }
    // `servers()` reports the servers with problems; the others can be served
    if (read.usable) return { file, config: read.usable }
    throw new ConfigError(read.problems.map(formatProblem).join('\n'), read.problems)
  }
  // Relative paths are resolved from the working directory, and approvals are stored for it.
  const file = resolve('toolsearch.json')
  const read = readConfig(toJson(given), { file, env })
  if ('config' in read) return { file, config: read.config }
  const lines = read.problems.map(({ message, fix }) => `- ${message} ${fix}`)
  throw new ConfigError(`Invalid gateway configuration:\n${lines.join('\n')}`, read.problems)
}

/** What is wrong with the argument itself, before its contents are checked. */
function mistakeIn(given: unknown): string | undefined {
  const example = "Pass a configuration object or { file: 'toolsearch.json' }."
  if (typeof given === 'string') {
    return `openGateway() does not take a string. To open a file, pass { file: ${JSON.stringify(given)} }.`
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `openGateway() needs a configuration. ${example}`
  if (!('file' in given)) return undefined
  if (typeof given.file !== 'string' || given.file === '')
    return `"file" must be a path. ${example}`
  const others = Object.keys(given).filter((key) => key !== 'file')
  if (others.length === 0) return undefined
  return `Pass either "file" or a configuration, not both: remove "${others.join('", "')}".`
}

/** @throws ConfigError if the configuration cannot be written as JSON */
function toJson(config: ConfigFile | { readonly file: string }): string {
  try {
    return JSON.stringify(config, null, 2)
  } catch (error) {
    throw new ConfigError(`The configuration is not JSON: ${(error as Error).message}`, [])
  }
}
