import type { ServerConfig } from '../config/gateway-config.ts'
import { isPersonal } from './account-servers.ts'
import { personValueNames, withPersonValues } from './person-values.ts'

/**
 * The servers as the person at the command line uses them. A server with credentials of people uses the
 * sign-in of `toolsearch sign-in`, and environment variables for `${person:NAME}`. Servers that cannot
 * be used this way are left out.
 */
export function localServers(
  configs: readonly ServerConfig[],
  env: Readonly<Record<string, string | undefined>>,
): readonly ServerConfig[] {
  return configs.flatMap((config) => {
    if (!isPersonal(config)) return [config]
    if (config.credentials?.kind === 'exchange') return []
    const filled = withPersonValues(config, env)
    return 'config' in filled ? [filled.config] : []
  })
}

/** Why a server is missing from `localServers`, as a sentence. Undefined if it is not missing. */
export function whyNotLocal(
  config: ServerConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!isPersonal(config) || localServers([config], env).length > 0) return undefined
  if (config.credentials?.kind === 'exchange') {
    return 'needs the token of a person who signs in to the gateway, so it was not checked.'
  }
  const missing = personValueNames(config).filter((name) => !env[name])
  return `needs values that each person enters, so it was not checked. To check it, set ${missing.join(' and ')}.`
}
