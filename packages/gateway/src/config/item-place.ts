import type { Place } from './config-reader.ts'

/** The place of an object in a list. */
export function itemPlace(label: string, index: number): Place {
  const item = `item ${index + 1} in ${label}`
  return { label: item, name: (path) => `"${path}" of ${item}` }
}
