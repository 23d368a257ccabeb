import type { McpTool } from '../../protocol/mcp-tool.ts'
import { fingerprint } from '../../system/fingerprint.ts'

const marks = new WeakMap<McpTool, string>()

/** The fingerprint of the fields by which a person or a model decides whether to call a tool. */
export function definitionMark(tool: McpTool): string {
  let mark = marks.get(tool)
  if (mark === undefined) {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool
    mark = fingerprint({ name, title, description, inputSchema, outputSchema, annotations })
    marks.set(tool, mark)
  }
  return mark
}
