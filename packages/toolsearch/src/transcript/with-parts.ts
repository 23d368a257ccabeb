import type { Entry, Part } from './entry.ts'

/**
 * The entry with other parts, and the same entry if they are the same. `field` is where messages of
 * the API have their blocks.
 */
export function withParts(entry: Entry, parts: readonly Part[], field: 'content' | 'parts'): Entry {
  const before = entry.parts
  if (parts.length === before.length && parts.every((part, at) => part === before[at])) return entry
  return {
    ...entry,
    parts,
    native: { ...entry.native, [field]: parts.map(({ native }) => native) },
  }
}
