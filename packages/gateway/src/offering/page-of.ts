import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Longer lists are given in parts. */
const PAGE = 1_000

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

/**
 * One part of a list. The same list and cursor give the same part.
 *
 * @throws ProtocolError if the cursor is none of ours
 */
export function pageOf<T>(
  list: readonly T[],
  cursor: string | undefined,
  size: number = PAGE,
): Page<T> {
  const start = cursor === undefined ? 0 : read(cursor)
  const end = start + size
  const items = start === 0 && list.length <= size ? list : list.slice(start, end)
  return { items, ...(end < list.length && { nextCursor: write(end) }) }
}

function write(offset: number): string {
  return Buffer.from(`from:${offset}`).toString('base64url')
}

function read(cursor: string): number {
  const [, offset] = /^from:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset !== undefined) return Number(offset)
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'There is no such cursor. Begin again without one.',
  )
}
