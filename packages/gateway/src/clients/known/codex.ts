import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import {
  defined,
  disabledIf,
  milliseconds,
  NO_VARIABLES,
  objectAt,
  toolRules,
  under,
} from './client-parts.ts'

export const codex: KnownClient = {
  id: 'codex',
  label: 'Codex',
  files: ({ home, env, cwd }) => [
    { file: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml') },
    { file: join(cwd, '.codex', 'config.toml'), project: cwd },
  ],
  groups: under('mcp_servers'),
  variables: NO_VARIABLES,
  convert(entry) {
    const common = {
      ...(milliseconds(entry.tool_timeout_sec) && {
        timeout: milliseconds(entry.tool_timeout_sec),
      }),
      ...disabledIf(entry.enabled === false),
      ...toolRules(entry.enabled_tools, entry.disabled_tools),
    }
    if (typeof entry.url !== 'string') {
      const env = { ...forwarded(entry.env_vars), ...objectAt(entry, 'env') }
      const { command, args, cwd } = entry
      const hasEnv = Object.keys(env).length > 0
      return { entry: defined({ command, args, ...(hasEnv && { env }), cwd, ...common }) }
    }
    const token = entry.bearer_token_env_var
    const headers = {
      ...objectAt(entry, 'http_headers'),
      ...Object.fromEntries(
        Object.entries(objectAt(entry, 'env_http_headers')).map(([key, name]) => [
          key,
          `\${${name}}`,
        ]),
      ),
      ...(typeof token === 'string' && { Authorization: `Bearer \${${token}}` }),
    }
    const hasHeaders = Object.keys(headers).length > 0
    return { entry: { type: 'http', url: entry.url, ...(hasHeaders && { headers }), ...common } }
  },
  entry(gateway) {
    if (!('url' in gateway)) return { ...gateway }
    const { url, headers } = gateway
    return { url, ...(headers && { http_headers: headers }) }
  },
}

/** Variables that the server gets from the environment, written as a name or as `{ name }`. */
function forwarded(variables: unknown): Record<string, string> {
  if (!Array.isArray(variables)) return {}
  const names = variables.map((each) => String(each?.name ?? each))
  return Object.fromEntries(names.map((name) => [name, `\${${name}:-}`]))
}
