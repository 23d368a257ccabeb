import type { McpTool } from '../../protocol/mcp-tool.ts'
import { fingerprint } from '../../system/fingerprint.ts'

const marks = new WeakMap<McpTool, string>()

/** The fingerprint of all in a definition by which a person or a model decides to call the tool. */
export function definitionMark(tool: McpTool): string {
  let mark = marks.get(tool)
  if (mark === undefined) {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool
    mark = fingerprint({ name, title, description, inputSchema, outputSchema, annotations })
    marks.set(tool, mark)
  }
  return mark
}
