import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { plainName } from './one-line.ts'

/** Where the draft extension for grouping puts the names of a tool's groups. */
const GROUPS = 'io.modelcontextprotocol/groups'
const MAX_GROUPS = 3

/** The names of the groups that a tool belongs to. Ignores what is not a name. */
export function groupsOf({ _meta }: McpTool): string[] {
  const groups = isObject(_meta) ? _meta[GROUPS] : undefined
  if (!Array.isArray(groups)) return []
  const names = groups.slice(0, MAX_GROUPS).filter((name) => typeof name === 'string')
  return names.map(plainName).filter((name) => name !== '')
}

/** The groups of a server's tools, largest first. */
export function groupNames(tools: readonly McpTool[]): string[] {
  const counts = new Map<string, number>()
  for (const tool of tools) {
    for (const group of new Set(groupsOf(tool))) counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  return [...counts].sort(([, some], [, others]) => others - some).map(([name]) => name)
}
