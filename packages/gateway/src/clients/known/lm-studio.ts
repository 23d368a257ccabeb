import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { NO_VARIABLES, plainEntry, under } from './client-parts.ts'

export const lmStudio: KnownClient = {
  id: 'lm-studio',
  label: 'LM Studio',
  files: ({ home }) => [
    { file: join(home, '.lmstudio', 'mcp.json') },
    // the folder of installations that started with an older version
    { file: join(home, '.cache', 'lm-studio', 'mcp.json') },
  ],
  groups: under('mcpServers'),
  variables: NO_VARIABLES,
  entry: plainEntry,
}
