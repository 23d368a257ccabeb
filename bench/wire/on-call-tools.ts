import type { ToolDefinition } from 'toolsearch'
import { readServers } from '../../testing/catalogue/read-servers.ts'

/** The tools of a team on call: 58 tools of five MCP servers, about 54,000 tokens. */
export const onCallTools: readonly ToolDefinition[] = readServers([
  'coppice',
  'banter',
  'stumble',
  'dialhouse',
  'logbarn',
])
