import { join } from 'node:path'
import { isObject } from '../../protocol/json-object.ts'
import type { KnownClient } from '../known-client.ts'
import {
  defined,
  disabledIf,
  milliseconds,
  NO_VARIABLES,
  settingsFolder,
  under,
} from './client-parts.ts'

export const zed: KnownClient = {
  id: 'zed',
  label: 'Zed',
  files(machine) {
    const { home, platform, env, cwd } = machine
    // unlike other programs, Zed uses ~/.config on macOS, too
    const user =
      platform === 'win32'
        ? join(settingsFolder(machine), 'Zed')
        : join((platform === 'linux' && env.XDG_CONFIG_HOME) || join(home, '.config'), 'zed')
    return [
      { file: join(user, 'settings.json') },
      { file: join(cwd, '.zed', 'settings.json'), project: cwd },
    ]
  },
  groups: under('context_servers'),
  variables: NO_VARIABLES,
  convert(entry) {
    // older versions nested the program in `command`
    const { path, ...nested } = isObject(entry.command) ? entry.command : { path: entry.command }
    const { url, headers } = entry
    if (path === undefined && url === undefined) {
      const reason = 'A Zed extension provides this server, so its command is not in the file.'
      return { reason }
    }
    const { args, env } = { ...entry, ...nested }
    const isDisabled = entry.enabled === false
    const timeout = milliseconds(entry.timeout)
    const own = { command: path, args, env, url, headers, timeout }
    return { entry: defined({ ...own, ...disabledIf(isDisabled) }) }
  },
  entry: (gateway) => ({ source: 'custom', ...gateway }),
}
