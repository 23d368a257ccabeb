import { isObject } from '../../protocol/json-object.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import { fingerprint } from '../../system/fingerprint.ts'

/** Marks fingerprints of whole definitions. Earlier ones left out some fields. */
const WHOLE = '2:'

const cache = new WeakMap<McpTool, string>()

/** The fingerprint of everything that a server says about a tool: models may see all of it. */
export function definitionFingerprint(tool: McpTool): string {
  let cached = cache.get(tool)
  if (cached === undefined) {
    cached = WHOLE + fingerprint(tool)
    cache.set(tool, cached)
  }
  return cached
}

/** Whether a fingerprint of an earlier version is that of this definition, as far as it covers it. */
export function isEarlierFingerprint(stored: string, tool: McpTool): boolean {
  if (stored.startsWith(WHOLE)) return false
  const { name, title, description, inputSchema, outputSchema, annotations, skill } = tool
  const fields = { name, title, description, inputSchema, outputSchema, annotations }
  const covered = name.startsWith('skill:') && skill ? { ...fields, skill } : fields
  return stored === fingerprint(pairsIn(covered))
}

/** How earlier fingerprints saw a value: an object as the sorted list of its pairs. */
function pairsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pairsIn)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, child]) => [key, pairsIn(child)])
}
