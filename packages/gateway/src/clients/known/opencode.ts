import { join } from 'node:path'
import { isObject } from '../../protocol/json-object.ts'
import type { KnownClient } from '../known-client.ts'
import { defined, disabledIf, mapTexts, NO_VARIABLES, objectAt } from './client-parts.ts'

export const opencode: KnownClient = {
  id: 'opencode',
  label: 'opencode',
  files({ home, env, cwd }) {
    const user = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')
    const names = ['opencode.json', 'opencode.jsonc']
    return [
      ...names.map((name) => ({ file: join(user, name) })),
      ...names.map((name) => ({ file: join(cwd, name), project: cwd })),
    ]
  },
  groups(content) {
    // version 1 had the servers directly under "mcp"
    const entries = Object.values(objectAt(content, 'mcp'))
    const isVersion1 = entries.some((entry) => isObject(entry) && typeof entry.type === 'string')
    return [{ path: isVersion1 ? ['mcp'] : ['mcp', 'servers'] }]
  },
  variables: NO_VARIABLES,
  convert(entry) {
    const [key] =
      Object.entries(entry).find(([, value]) => JSON.stringify(value)?.includes('{file:')) ?? []
    if (key !== undefined) {
      const reason = `It reads a value from a file with {file:…} in "${key}". Write an environment variable instead, as in {env:NAME}, and import again.`
      return { reason }
    }
    const { type, command, environment, cwd, url, headers, oauth } = mapTexts(entry, (text) =>
      text.replace(/\{env:([^}]+)\}/g, (_, name) => `\${${name}:-}`),
    ) as typeof entry
    const [program, ...args] = Array.isArray(command) ? command : [command]
    const isDisabled = entry.enabled === false || entry.disabled === true
    const own =
      type === 'remote'
        ? { url, headers, oauth: isObject(oauth) ? oauth : undefined }
        : { command: program, args, env: environment, cwd }
    return { entry: defined({ ...own, ...disabledIf(isDisabled) }) }
  },
  entry: (gateway) =>
    'url' in gateway
      ? { type: 'remote', ...gateway }
      : { type: 'local', command: [gateway.command, ...gateway.args] },
}
