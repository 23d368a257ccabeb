import type { Tool } from '../catalogue/tool.ts'
import { sourceName } from './tool-fields.ts'

/**
 * The texts of a tool in which a `+required` word may occur. `all` means name, title, description,
 * search hint, tags and the name of the source, such as `github` for `mcp:github`.
 */
export type RequiredScope = 'name' | 'name+description' | 'name+description+hint' | 'all'

/** Whether every required word occurs in the scope. The words have to be in lower case. */
export function hasRequiredTerms(
  tool: Tool,
  required: readonly string[],
  scope: RequiredScope,
): boolean {
  if (required.length === 0) return true
  const lower = textsOf(tool, scope).map((text) => text.toLowerCase())
  return required.every((word) => lower.some((text) => text.includes(word)))
}

function textsOf(tool: Tool, scope: RequiredScope): string[] {
  const { name, title = '', description, searchHint = '', tags } = tool
  if (scope === 'name') return [name]
  if (scope === 'name+description') return [name, description]
  const texts = [name, description, searchHint]
  return scope === 'all' ? [...texts, title, sourceName(tool), ...tags] : texts
}
