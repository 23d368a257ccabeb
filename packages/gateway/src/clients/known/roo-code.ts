import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import {
  defined,
  disabledIf,
  EDITOR_OWN_VARIABLES,
  EDITOR_VARIABLES,
  editorFolders,
  milliseconds,
  typedEntry,
  under,
} from './client-parts.ts'

export const rooCode: KnownClient = {
  id: 'roo-code',
  label: 'Roo Code',
  files: (machine) => [
    ...editorFolders(machine).map((user) => ({
      file: join(
        user,
        'globalStorage',
        'rooveterinaryinc.roo-cline',
        'settings',
        'mcp_settings.json',
      ),
    })),
    { file: join(machine.cwd, '.roo', 'mcp.json'), project: machine.cwd },
  ],
  groups: under('mcpServers'),
  variables: EDITOR_VARIABLES,
  ownVariables: EDITOR_OWN_VARIABLES,
  convert({ type, command, args, env, cwd, url, headers, timeout, disabled, disabledTools }) {
    const own = command === undefined ? { type, url, headers } : { command, args, env, cwd }
    return {
      entry: defined({
        ...own,
        timeout: milliseconds(timeout),
        disabledTools,
        ...disabledIf(disabled === true),
      }),
    }
  },
  entry: typedEntry('streamable-http'),
}
