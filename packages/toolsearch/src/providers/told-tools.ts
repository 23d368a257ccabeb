import { isObject } from '../is-object.ts'

/**
 * The tools that a result we gave has told the model of: the result of a search, or of a call that
 * came before its tool was loaded. A long result tells some by name only, and says so; a result of
 * nothing but names is one of a mode that reveals tools elsewhere.
 */
export function toldTools(text: string): string[] {
  // only our own results begin like this, and parsing every result would take long
  if (!/^\{"(?:query|error)":/.test(text)) return []
  try {
    const { loaded = [], name, inputSchema } = JSON.parse(text) as Record<string, unknown>
    if (typeof name === 'string' && isObject(inputSchema)) return [name]
    if (!Array.isArray(loaded) || !loaded.some(isObject)) return []
    return loaded
      .map((entry: unknown) => (isObject(entry) ? entry.name : entry))
      .filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}
