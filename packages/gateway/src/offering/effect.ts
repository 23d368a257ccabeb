import type { Tool } from 'toolsearch'

/** How much a call can change, according to the tool's annotations. */
export type Effect = 'read' | 'write' | 'destructive'

/** Follows MCP's defaults: a tool without annotations counts as destructive. */
export function effectOf({ annotations }: Pick<Tool, 'annotations'>): Effect {
  if (annotations.readOnlyHint === true) return 'read'
  return annotations.destructiveHint === false ? 'write' : 'destructive'
}
