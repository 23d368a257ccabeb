import type { McpTool } from '../protocol/mcp-tool.ts'

// these only ask
const READING = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/** Whether a request that may have been carried out can be sent again without doing a thing twice. */
export function mayRepeat(method: string, tool: McpTool | undefined): boolean {
  if (READING.has(method)) return true
  if (method !== 'tools/call') return false
  const hints = tool?.annotations as
    | { readOnlyHint?: unknown; idempotentHint?: unknown }
    | undefined
  return hints?.readOnlyHint === true || hints?.idempotentHint === true
}
