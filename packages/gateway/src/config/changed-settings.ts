import { isDeepStrictEqual } from 'node:util'
import { nodeValue, parseDocument } from './parse-document.ts'

/** Which settings of a file differ, by path. Contains no values, which can be secret. */
export interface ChangedSettings {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

const MAX_PATHS = 100

/**
 * Compares two texts of a configuration file. An item of a list has been added or removed, but never
 * changed: a rule that moves stays the same rule. Undefined if one of the texts is not JSON.
 *
 * @example
 * changedSettings('{ "a": { "b": 1 }, "c": [1, 2] }', '{ "a": { "b": 2 }, "c": [2] }')
 * // { added: [], removed: ['c[0]'], changed: ['a.b'] }
 */
export function changedSettings(before: string, after: string): ChangedSettings | undefined {
  const [old, next] = [before, after].map((text) => parseDocument(text, { file: '' }))
  if (!old || !next || 'problems' in old || 'problems' in next) return undefined
  const found = { added: [] as string[], removed: [] as string[], changed: [] as string[] }
  compare(nodeValue(old.root), nodeValue(next.root), '')
  return {
    added: found.added.slice(0, MAX_PATHS),
    removed: found.removed.slice(0, MAX_PATHS),
    changed: found.changed.slice(0, MAX_PATHS),
  }

  function compare(from: unknown, to: unknown, path: string): void {
    if (isDeepStrictEqual(from, to)) return
    if (isObject(from) && isObject(to)) {
      const inside = (key: string) => (path === '' ? key : `${path}.${key}`)
      for (const key of Object.keys(from)) {
        if (Object.hasOwn(to, key)) compare(from[key], to[key], inside(key))
        else found.removed.push(inside(key))
      }
      for (const key of Object.keys(to)) {
        if (!Object.hasOwn(from, key)) found.added.push(inside(key))
      }
    } else if (Array.isArray(from) && Array.isArray(to)) {
      const removed = indexesOf(from, to)
      const added = indexesOf(to, from)
      for (const index of removed) found.removed.push(`${path}[${index}]`)
      for (const index of added) found.added.push(`${path}[${index}]`)
      // The same items in another order.
      if (removed.length + added.length === 0) found.changed.push(path)
    } else found.changed.push(path)
  }
}

/** Where the items are that the other list has fewer of. */
function indexesOf(items: readonly unknown[], others: readonly unknown[]): number[] {
  const left = new Map<string, number>()
  for (const other of others) {
    const key = JSON.stringify(other)
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return items.flatMap((item, index) => {
    const key = JSON.stringify(item)
    const count = left.get(key) ?? 0
    left.set(key, count - 1)
    return count > 0 ? [] : [index]
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
