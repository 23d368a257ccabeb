import { join } from 'node:path'
import type { KnownClient, ServerGroup } from '../known-client.ts'
import { objectAt, typedEntry } from './client-parts.ts'

export const claudeCode: KnownClient = {
  id: 'claude-code',
  label: 'Claude Code',
  files: ({ home, env, cwd }) => [
    { file: join(env.CLAUDE_CONFIG_DIR || home, '.claude.json') },
    { file: join(cwd, '.mcp.json'), project: cwd },
  ],
  groups(content, { project }) {
    const groups: ServerGroup[] = [{ path: ['mcpServers'], ...(project && { project }) }]
    const projects = objectAt(content, 'projects')
    for (const folder of Object.keys(projects)) {
      const { disabledMcpServers } = objectAt(projects, folder)
      groups.push({
        path: ['projects', folder, 'mcpServers'],
        project: folder,
        ...(Array.isArray(disabledMcpServers) && { disabled: disabledMcpServers.map(String) }),
      })
    }
    return groups
  },
  variables: /^[A-Za-z_]\w*(:-.*)?$/s,
  entry: typedEntry('http'),
}
