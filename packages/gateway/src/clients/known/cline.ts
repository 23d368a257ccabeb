import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import {
  defined,
  disabledIf,
  editorFolders,
  milliseconds,
  NO_VARIABLES,
  typedEntry,
  under,
} from './client-parts.ts'

const SETTINGS = join('settings', 'cline_mcp_settings.json')

export const cline: KnownClient = {
  id: 'cline',
  label: 'Cline',
  files: (machine) => [
    ...editorFolders(machine).map((user) => ({
      file: join(user, 'globalStorage', 'saoudrizwan.claude-dev', SETTINGS),
    })),
    { file: join(machine.home, '.cline', 'data', SETTINGS) },
  ],
  groups: under('mcpServers'),
  variables: NO_VARIABLES,
  convert({ type, transportType, command, args, env, cwd, url, headers, timeout, disabled }) {
    const transport = type ?? transportType
    const isHttp = transport === 'streamableHttp' || transport === 'http'
    const own =
      command === undefined
        ? { type: isHttp ? 'http' : 'sse', url, headers }
        : { command, args, env, cwd }
    return {
      entry: defined({ ...own, timeout: milliseconds(timeout), ...disabledIf(disabled === true) }),
    }
  },
  entry: typedEntry('streamableHttp'),
}
