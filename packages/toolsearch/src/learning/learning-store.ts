import { isObject } from '../is-object.ts'
import type { Use } from './use.ts'

/**
 * Stores the uses of a memory. Test your own store with the contract in `learning-store.cases.ts`.
 * A method may reject if the storage fails.
 */
export interface LearningStore {
  /** All uses, in any order. */
  read(): Promise<readonly Use[]>
  /** Adds uses. A use replaces the stored one with the same id. Several processes may add at once. */
  add(uses: readonly Use[]): Promise<void>
  /** Ignores unknown ids. */
  remove(ids: readonly string[]): Promise<void>
  /**
   * Removes everything, including what `read` skips.
   * @default the uses that `read` returns are removed
   */
  clear?(): Promise<void>
}

/** Reads what a store has written; undefined if it is not a use. */
export function parseUse(json: string): Use | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isUse(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isUse(value: unknown): value is Use {
  return (
    isObject(value) &&
    ['id', 'tool', 'person', 'words'].every((key) => typeof value[key] === 'string') &&
    typeof value.at === 'number' &&
    typeof value.found === 'boolean'
  )
}
