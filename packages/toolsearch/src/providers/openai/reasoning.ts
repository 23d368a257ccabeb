import type { Item } from './items.ts'

/**
 * Drops reasoning whose following item is gone: the service rejects reasoning without the output it
 * led to. That output can be missing because a reply was interrupted or because a repair dropped it.
 *
 * @param replacements the items that replace each of `items`
 */
export function dropOrphanedReasoning(
  items: readonly Item[],
  replacements: readonly (readonly Item[])[],
  onDropped: (item: Item, at: number) => void,
): (readonly Item[])[] {
  return items.map((item, at) => {
    if (item.type !== 'reasoning') return replacements[at]!
    const next = items.findIndex(({ type }, index) => index > at && type !== 'reasoning')
    if (next >= 0 && isFromModel(items[next]!) && isKept(items[next]!, replacements[next]!)) {
      return [item]
    }
    onDropped(item, at)
    return []
  })
}

function isFromModel({ type, role }: Item): boolean {
  if (role !== undefined) return role === 'assistant'
  return !String(type).endsWith('_output')
}

function isKept(item: Item, [first]: readonly Item[]): boolean {
  return first !== undefined && first.type === item.type
}
