/**
 * Replaces equal strings in parsed JSON with one shared string, in place. The tools of a server repeat
 * the same descriptions of parameters again and again: in published servers, a third of all text.
 *
 * @param strings those of earlier values, to share with them
 */
export function shareStrings<Value>(root: Value, strings: Map<string, string> = new Map()): Value {
  visit(root as Record<string, unknown>)
  return root

  function visit(parent: Record<string, unknown>): void {
    for (const key of Object.keys(parent)) {
      const value = parent[key]
      if (typeof value === 'object') {
        if (value !== null) visit(value as Record<string, unknown>)
      } else if (typeof value === 'string') {
        const known = strings.get(value)
        if (known === undefined) strings.set(value, value)
        // Assigning to "__proto__" would set the prototype. With a string, nothing happens.
        else parent[key] = known
      }
    }
  }
}
