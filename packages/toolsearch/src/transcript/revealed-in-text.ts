import { isObject } from '../is-object.ts'

/**
 * The tools that one of our results reveals with their parameters: the result of a search, or of a call
 * made before its tool was loaded. A long search result shortens some entries to names and says so;
 * these count as revealed. A result that contains only names reveals no tool, because its mode reveals the
 * definitions elsewhere.
 */
export function revealedInText(text: string): string[] {
  // Only our own results start like this. Parsing every tool result would be slow.
  if (!/^\{"(?:query|error)":/.test(text)) return []
  try {
    const { loaded, tools, matches, name, inputSchema } = JSON.parse(text) as Record<
      string,
      unknown
    >
    if (typeof name === 'string' && isObject(inputSchema)) return [name]
    // presets have lists of their own
    const entries = [loaded, tools, matches].find(hasObjects) ?? []
    return entries
      .map((entry) => (isObject(entry) ? entry.name : entry))
      .filter((entry) => typeof entry === 'string')
  } catch {
    return []
  }
}

function hasObjects(list: unknown): list is unknown[] {
  return Array.isArray(list) && list.some(isObject)
}
