/** Hashes the words of a name. Only the names with the same hash have to be compared. */
export function hashKey(key: readonly string[]): number {
  let hash = 0
  for (const part of key) {
    for (let at = 0; at < part.length; at++)
      hash = Math.imul(hash ^ part.charCodeAt(at), 0x9e3779b1)
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  }
  return hash
}

export function isSameKey(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && a.every((part, at) => part === b[at])
}
