import type { Item } from './items.ts'

/**
 * Puts a repaired history together. The service refuses reasoning without what the model did by
 * it, so reasoning goes where that is gone, as it is when a reply was cut off.
 */
export function keepReasoning(
  items: readonly Item[],
  replaced: readonly (readonly Item[])[],
  onDropped: (item: Item, at: number) => void,
): Item[] {
  return items.flatMap((item, at) => {
    if (item.type !== 'reasoning') return replaced[at]!
    const next = items.findIndex((one, index) => index > at && one.type !== 'reasoning')
    if (next >= 0 && isOfModel(items[next]!) && isKept(items[next]!, replaced[next]!)) return [item]
    onDropped(item, at)
    return []
  })
}

function isOfModel({ type, role }: Item): boolean {
  if (role !== undefined) return role === 'assistant'
  return !String(type).endsWith('_output')
}

function isKept(item: Item, [first]: readonly Item[]): boolean {
  return first !== undefined && first.type === item.type
}
