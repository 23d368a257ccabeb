import type { ToolDefinition } from 'toolsearch'
import { messageTools } from './banter-messages.ts'
import { readingTools } from './banter-reading.ts'
import { spaceTools } from './banter-spaces.ts'
import { serverTools } from './server-tools.ts'

/** Banter, an imaginary team chat. */
export const banter: readonly ToolDefinition[] = serverTools('banter', [
  ...messageTools,
  ...readingTools,
  ...spaceTools,
])
