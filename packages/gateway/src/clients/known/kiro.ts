import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { plainEntry, under } from './client-parts.ts'

export const kiro: KnownClient = {
  id: 'kiro',
  label: 'Kiro',
  files: ({ home, cwd }) => [
    { file: join(home, '.kiro', 'settings', 'mcp.json') },
    { file: join(cwd, '.kiro', 'settings', 'mcp.json'), project: cwd },
  ],
  groups: under('mcpServers'),
  variables: /^[A-Za-z_]\w*$/,
  entry: plainEntry,
}
