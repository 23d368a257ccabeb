import type { McpTool } from '../../protocol/mcp-tool.ts'
import { fingerprint } from '../../system/fingerprint.ts'

const cache = new WeakMap<McpTool, string>()

/** The fingerprint of the fields by which a person or a model decides whether to call a tool. */
export function definitionFingerprint(tool: McpTool): string {
  let cached = cache.get(tool)
  if (cached === undefined) {
    const { name, title, description, inputSchema, outputSchema, annotations, skill } = tool
    const fields = { name, title, description, inputSchema, outputSchema, annotations }
    // Only skills have it, and only they are approved with it.
    cached = fingerprint(name.startsWith('skill:') && skill ? { ...fields, skill } : fields)
    cache.set(tool, cached)
  }
  return cached
}
