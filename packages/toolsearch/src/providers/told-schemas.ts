import { isObject } from '../is-object.ts'

/**
 * The tools whose schema stands in a result we gave: of a search, or of a call that came before its
 * tool was loaded.
 */
export function toldSchemas(text: string): string[] {
  // only our own results begin like this, and parsing every result would take long
  if (!/^\{"(?:query|error)":/.test(text) || !text.includes('"inputSchema"')) return []
  try {
    const { loaded, ...result } = JSON.parse(text) as Record<string, unknown>
    return [result, ...(Array.isArray(loaded) ? loaded : [])].flatMap((entry: unknown) =>
      isObject(entry) && typeof entry.name === 'string' && isObject(entry.inputSchema)
        ? [entry.name]
        : [],
    )
  } catch {
    return []
  }
}
