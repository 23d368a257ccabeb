import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { EDITOR_OWN_VARIABLES, EDITOR_VARIABLES, plainEntry, under } from './client-parts.ts'

export const cursor: KnownClient = {
  id: 'cursor',
  label: 'Cursor',
  files: ({ home, cwd }) => [
    { file: join(home, '.cursor', 'mcp.json') },
    { file: join(cwd, '.cursor', 'mcp.json'), project: cwd },
  ],
  groups: under('mcpServers'),
  variables: EDITOR_VARIABLES,
  ownVariables: EDITOR_OWN_VARIABLES,
  entry: plainEntry,
}
