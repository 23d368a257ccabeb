import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'jsonc-parser'
import type { KnownClient, Machine, ServerGroup } from '../known-client.ts'
import { objectAt, typedEntry } from './client-parts.ts'

export const claudeCode: KnownClient = {
  id: 'claude-code',
  label: 'Claude Code',
  files: (machine) => [
    { file: userFile(machine) },
    {
      file: join(machine.cwd, '.mcp.json'),
      project: machine.cwd,
      disabled: disabledInProject(machine),
    },
  ],
  groups(content, { project, disabled }) {
    const groups: ServerGroup[] = [
      { path: ['mcpServers'], ...(project && { project }), ...(disabled && { disabled }) },
    ]
    const projects = objectAt(content, 'projects')
    for (const folder of Object.keys(projects)) {
      const { disabledMcpServers } = objectAt(projects, folder)
      groups.push({
        path: ['projects', folder, 'mcpServers'],
        project: folder,
        disabled: namesIn(disabledMcpServers),
      })
    }
    return groups
  },
  variables: /^[A-Za-z_]\w*(:-.*)?$/s,
  entry: typedEntry('http'),
}

function userFile({ home, env }: Machine): string {
  return join(env.CLAUDE_CONFIG_DIR || home, '.claude.json')
}

/** The servers of `.mcp.json` that the person has turned off, which other files record. */
function disabledInProject(machine: Machine): string[] {
  const { cwd } = machine
  const own = objectAt(objectAt(readJson(userFile(machine)), 'projects'), cwd)
  const shared = ['settings.json', 'settings.local.json'].map((name) =>
    readJson(join(cwd, '.claude', name)),
  )
  return [own, ...shared].flatMap((settings) =>
    namesIn(objectAt({ settings }, 'settings').disabledMcpjsonServers),
  )
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

function readJson(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
