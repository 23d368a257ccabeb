import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientFile, KnownClient, Machine } from '../known-client.ts'
import {
  defined,
  disabledIf,
  NO_VARIABLES,
  plainEntry,
  settingsFolder,
  under,
} from './client-parts.ts'

export const jetbrains: KnownClient = {
  id: 'jetbrains',
  label: 'JetBrains (Junie, AI Assistant)',
  files: (machine) => [
    { file: join(machine.home, '.junie', 'mcp', 'mcp.json') },
    { file: join(machine.cwd, '.junie', 'mcp', 'mcp.json'), project: machine.cwd },
    { file: join(machine.cwd, '.ai', 'mcp', 'mcp.json'), project: machine.cwd },
    ...ideSettings(machine),
  ],
  groups: under('mcpServers'),
  variables: NO_VARIABLES,
  convert({ enabled, ...entry }) {
    return {
      entry: defined({ ...entry, ...disabledIf(enabled === false || entry.disabled === true) }),
    }
  },
  entry: plainEntry,
}

/** The servers of all projects are in the settings of each IDE, in an undocumented format. */
function ideSettings(machine: Machine): ClientFile[] {
  const folder = join(settingsFolder(machine), 'JetBrains')
  return namesIn(folder).flatMap((ide) => {
    const options = join(folder, ide, 'options')
    const files = namesIn(options).filter((name) => /mcpServers.*\.xml$/i.test(name))
    return files.map((name) => ({
      file: join(options, name),
      notUnderstood:
        'The settings of AI Assistant have no documented format. Copy the servers from Settings | Tools | AI Assistant | Model Context Protocol (MCP) as JSON.',
    }))
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
