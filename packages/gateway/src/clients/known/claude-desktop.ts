import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { NO_VARIABLES, plainEntry, settingsFolder, under } from './client-parts.ts'

export const claudeDesktop: KnownClient = {
  id: 'claude-desktop',
  label: 'Claude Desktop',
  files: (machine) => [
    { file: join(settingsFolder(machine), 'Claude', 'claude_desktop_config.json') },
  ],
  groups: under('mcpServers'),
  variables: NO_VARIABLES,
  // its file supports programs only; remote servers are added in the app
  entry: (gateway) => ('url' in gateway ? undefined : plainEntry(gateway)),
}
