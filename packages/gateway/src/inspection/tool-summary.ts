import type { Tool } from 'toolsearch'

const SUMMARY_CHARS = 240

/** The name of the server that provides a tool. */
export function serverOf({ source }: Pick<Tool, 'source'>): string {
  return source.replace(/^mcp:/, '')
}

/** The first line of a description, cut where it gets too long for a list. */
export function summaryOf({ description }: { readonly description: string }): string {
  const [line = ''] = description.trimStart().split('\n', 1)
  if (line.length <= SUMMARY_CHARS) return line.trimEnd().toWellFormed()
  return `${line.slice(0, SUMMARY_CHARS).trimEnd().toWellFormed()}…`
}
