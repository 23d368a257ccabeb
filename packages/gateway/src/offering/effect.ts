import type { Tool } from 'toolsearch'

/** What calling a tool does to the world, as far as the tool says. */
export type Effect = 'read' | 'write' | 'destructive'

/** MCP's own default: a tool that says nothing may destroy. */
export function effectOf({ annotations }: Pick<Tool, 'annotations'>): Effect {
  if (annotations.readOnlyHint === true) return 'read'
  return annotations.destructiveHint === false ? 'write' : 'destructive'
}
