import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

const PAGE_SIZE = 1_000

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
  const end = start + size
  const items = start === 0 && list.length <= size ? list : list.slice(start, end)
  return { items, ...(end < list.length && { nextCursor: encodeCursor(end) }) }
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
