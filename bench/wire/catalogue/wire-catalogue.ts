import type { ToolDefinition } from 'toolsearch'
import { banter } from './banter.ts'
import { coppice } from './coppice.ts'
import { dialhouse } from './dialhouse.ts'
import { logbarn } from './logbarn.ts'
import { stumble } from './stumble.ts'

/**
 * What an agent of a team on call might be given: 58 tools of five MCP servers, some 54,000 tokens.
 * The servers are imaginary; their mix, and how much each definition says, are those of real ones.
 */
export const wireCatalogue: readonly ToolDefinition[] = [
  ...coppice,
  ...banter,
  ...stumble,
  ...dialhouse,
  ...logbarn,
]
