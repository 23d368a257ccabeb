import type { ToolText } from '../tokens/tool-tokens.ts'

/** A deferred tool for a request that needs one and has none. */
export const PLACEHOLDER: ToolText = {
  name: 'toolsearch_placeholder',
  description: 'Not a tool: it keeps a place.',
  inputSchema: { type: 'object', properties: {} },
}
