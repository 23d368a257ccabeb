import { clientKey, isClientCall, isClientOutput } from './call-types.ts'
import { type Item, isHostedSearch } from './items.ts'

/** Maps the index of each call to the index of its output. The first output counts. */
export function findOutputs(items: readonly Item[]): ReadonlyMap<number, number> {
  const calls = new Map<string, number>()
  const early = new Map<string, number>()
  const outputs = new Map<number, number>()
  // Hosted searches have no id: an output belongs to the hosted search before it.
  let hosted: number | undefined
  items.forEach((item, at) => {
    if (isHostedSearch(item)) {
      if (isCall(item)) hosted = at
      else if (hosted !== undefined) {
        outputs.set(hosted, at)
        hosted = undefined
      }
      return
    }
    const key = pairKey(item)
    if (key === undefined) return
    const call = calls.get(key)
    if (isCall(item)) {
      if (call === undefined) calls.set(key, at)
    } else if (call === undefined) {
      if (!early.has(key)) early.set(key, at)
    } else if (!outputs.has(call)) outputs.set(call, at)
  })
  for (const [key, at] of early) {
    const call = calls.get(key)
    if (call !== undefined && !outputs.has(call)) outputs.set(call, at)
  }
  return outputs
}

export function isCall(item: Item): boolean {
  return item.type === 'tool_search_call' || (isClientCall(item) && !isApproval(item))
}

export function isOutput(item: Item): boolean {
  return item.type === 'tool_search_output' || (isClientOutput(item) && !isApproval(item))
}

/** The service accepts a request for an approval without a response. */
function isApproval({ type }: Item): boolean {
  return String(type).startsWith('mcp_approval_')
}

/** A key that a call and its output share; undefined for any other item. */
export function pairKey(item: Item): string | undefined {
  if (!isCall(item) && !isOutput(item)) return undefined
  return clientKey(item) ?? `search ${item.call_id}`
}
