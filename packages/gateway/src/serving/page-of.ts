import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { sizeUpTo } from '../protocol/check-size.ts'

const PAGE_SIZE = 1_000
/** Nobody is answered while a page is written as JSON, where a character can take six. */
const MAX_CHARACTERS = 2_000_000

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

/**
 * One page of a list. The same list and cursor always return the same page.
 *
 * @throws ProtocolError if the cursor is invalid
 */
export function pageOf<T>(
  list: readonly T[],
  cursor: string | undefined,
  size: number = PAGE_SIZE,
): Page<T> {
  const start = cursor === undefined ? 0 : decodeCursor(cursor)
  const end = endOfPage(list, start, Math.min(list.length, start + size))
  const items = start === 0 && end === list.length ? list : list.slice(start, end)
  return { items, ...(end < list.length && { nextCursor: encodeCursor(end) }) }
}

/** At least one item further than the start. */
function endOfPage(list: readonly unknown[], start: number, last: number): number {
  let left = MAX_CHARACTERS
  for (let at = start; at < last; at++) {
    left -= sizeUpTo(left, list[at])
    if (left <= 0) return at === start ? start + 1 : at
  }
  return last
}

function encodeCursor(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url')
}

function decodeCursor(cursor: string): number {
  const [, offset] = /^from:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset !== undefined) return Number(offset)
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'Invalid cursor. Start again without a cursor.',
  )
}
