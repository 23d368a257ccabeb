import type { Tool } from 'toolsearch'

/** How much a call can change, according to the tool's annotations. */
export type Effect = 'read' | 'write' | 'destructive'

export type Annotated = Pick<Tool, 'annotations'>

/** Follows MCP's defaults: a tool without annotations counts as destructive. */
export function effectOf({ annotations }: Annotated): Effect {
  if (annotations.readOnlyHint === true) return 'read'
  return annotations.destructiveHint === false ? 'write' : 'destructive'
}

/** Follows MCP's default: a tool reaches systems beyond its server unless it declares otherwise. */
export function isOpenWorld({ annotations }: Annotated): boolean {
  return annotations.openWorldHint !== false
}
