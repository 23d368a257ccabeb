import type { Tool } from '../catalogue/tool.ts'

/** The texts of a tool in which a `+required` word may occur. */
export type RequiredScope = 'name' | 'name+description' | 'name+description+hint'

/** Whether every required word occurs in the scope. The words have to be in lower case. */
export function hasRequiredTerms(
  tool: Tool,
  required: readonly string[],
  scope: RequiredScope,
): boolean {
  if (required.length === 0) return true
  const texts = [tool.name]
  if (scope !== 'name') texts.push(tool.description)
  if (scope === 'name+description+hint') texts.push(tool.searchHint ?? '')
  const lower = texts.map((text) => text.toLowerCase())
  return required.every((word) => lower.some((text) => text.includes(word)))
}
