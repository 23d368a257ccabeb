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
