// anywhere else, an id might be a field of the result
const ID_AT_HEAD = /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d+)\s*,/
const ID_AT_TAIL = /[,{]\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

/** The id of a JSON-RPC response that is too large to parse, from its beginning and its end. */
export function readMessageId(head: string, tail: string): number | undefined {
  const found = ID_AT_HEAD.exec(head) ?? ID_AT_TAIL.exec(tail)
  return found ? Number(found[1]) : undefined
}
