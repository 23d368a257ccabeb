import type { Tool } from 'toolsearch'

/** The name of the server that has a tool. */
export function serverOf({ source }: Pick<Tool, 'source'>): string {
  return source.replace(/^mcp:/, '')
}
