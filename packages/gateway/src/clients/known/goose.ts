import { join } from 'node:path'
import type { Entry, KnownClient } from '../known-client.ts'
import {
  defined,
  disabledIf,
  mapTexts,
  milliseconds,
  NO_VARIABLES,
  objectAt,
  settingsFolder,
  toolRules,
  under,
} from './client-parts.ts'

export const goose: KnownClient = {
  id: 'goose',
  label: 'Goose',
  files(machine) {
    const { home, platform, env } = machine
    const folder =
      platform === 'win32'
        ? join(settingsFolder(machine), 'Block', 'goose', 'config')
        : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose')
    return [{ file: join(folder, 'config.yaml') }]
  },
  groups: under('extensions'),
  variables: NO_VARIABLES,
  convert(entry, { env: machineEnv }) {
    const { type, cmd, args, uri, timeout, enabled, available_tools } = entry
    if (type !== 'stdio' && type !== 'streamable_http' && type !== 'sse') return { isBuiltIn: true }
    const keys = Array.isArray(entry.env_keys) ? entry.env_keys.map(String) : []
    const missing = keys.filter((key) => !machineEnv[key])
    if (missing.length > 0) {
      const reason = `Goose stores ${missing.join(', ')} in its keyring. Set ${missing.length === 1 ? 'this environment variable' : 'these environment variables'} and import again.`
      return { reason }
    }
    const secrets = Object.fromEntries(keys.map((key) => [key, `\${${key}}`]))
    const env: Entry = { ...objectAt(entry, 'envs'), ...secrets }
    const common = {
      timeout: milliseconds(timeout),
      ...disabledIf(enabled === false),
      ...toolRules(available_tools, undefined),
    }
    if (type === 'stdio') {
      const hasEnv = Object.keys(env).length > 0
      return { entry: defined({ command: cmd, args, ...(hasEnv && { env }), ...common }) }
    }
    // headers may refer to the variables of the entry; their `$` is escaped because our file means others
    const headers = mapTexts(entry.headers, (text) =>
      text.replace(/\$\$\{(\w+)\}|\$(\w+)/g, (whole, a, b) => String(env[a ?? b] ?? whole)),
    )
    return {
      entry: defined({ type: type === 'sse' ? 'sse' : 'http', url: uri, headers, ...common }),
    }
  },
  entry(gateway) {
    const common = { enabled: true, name: 'toolsearch', description: 'Tool search', timeout: 300 }
    if (!('url' in gateway)) {
      return { ...common, type: 'stdio', cmd: gateway.command, args: gateway.args }
    }
    const { url, headers } = gateway
    return { ...common, type: 'streamable_http', uri: url, ...(headers && { headers }) }
  },
}
