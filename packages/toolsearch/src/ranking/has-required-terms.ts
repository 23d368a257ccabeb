import type { Tool } from '../catalogue/tool.ts'

/** Where a `+required` word may be found. */
export type RequiredScope = 'name' | 'name+description' | 'name+description+hint'

/** Whether each required word, given in lower case, occurs somewhere in the scope. */
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
