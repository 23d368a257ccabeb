import type { Repair } from '../provider.ts'
import type { Item } from './items.ts'

/** The places of items to look at: the service refuses an input that has one id twice. */
export function placesWithoutCopies(items: readonly Item[], repairs: Repair[]): number[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, at) => {
    if (typeof id !== 'string') return [at]
    if (seen.has(id)) {
      repairs.push({ kind: 'duplicate-dropped', about: id, at })
      return []
    }
    seen.add(id)
    return [at]
  })
}
