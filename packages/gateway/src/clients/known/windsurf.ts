import { join } from 'node:path'
import type { KnownClient } from '../known-client.ts'
import { plainEntry, under } from './client-parts.ts'

export const windsurf: KnownClient = {
  id: 'windsurf',
  label: 'Windsurf',
  files: ({ home }) => [
    { file: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    // the plugin for other editors
    { file: join(home, '.codeium', 'mcp_config.json') },
  ],
  groups: under('mcpServers'),
  variables: /^env:/,
  entry(gateway) {
    if (!('url' in gateway)) return plainEntry(gateway)
    const { url, ...rest } = gateway
    return { serverUrl: url, ...rest }
  },
}
