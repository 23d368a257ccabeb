import { isObject } from '../../is-object.ts'

/** A call as far as it has come. */
interface OpenCall {
  index: unknown
  id: string
  name: string
  arguments: string
  rest: Record<string, unknown>
}

export interface CallsCollector {
  add(delta: unknown): void
  replace(calls: readonly unknown[]): void
  /** How many calls, from the first on, will not grow any more while the stream goes on. */
  complete(): number
  /** The calls so far, in the shape of whole ones. */
  list(): Record<string, unknown>[]
}

/**
 * Adds up calls from deltas. Servers differ: most send a call in pieces under an index, some send
 * it whole, leave out the index or the id, repeat the id with every piece, or give every call the
 * index 0.
 */
export function collectCalls(): CallsCollector {
  let calls: OpenCall[] = []
  return {
    add(delta) {
      if (!isObject(delta)) return
      const piece = readPiece(delta)
      const call = calls.findLast((one) => goesOn(one, piece, one === calls.at(-1)))
      if (call === undefined) {
        calls.push(piece)
        return
      }
      call.id ||= piece.id
      call.name ||= piece.name
      call.arguments += piece.arguments
      call.rest = { ...call.rest, ...piece.rest }
    },
    replace(whole) {
      calls = whole.filter(isObject).map(readPiece)
    },
    complete() {
      const growing = calls.findIndex((call) => !isWhole(call))
      // the last may yet grow, and pieces of several calls may come in turn
      return Math.max(0, Math.min(growing < 0 ? calls.length : growing, calls.length - 1))
    },
    list: () =>
      calls.map(({ id, name, arguments: args, rest }) => ({
        ...rest,
        id,
        type: 'function',
        function: { name, arguments: args },
      })),
  }
}

function readPiece(delta: Record<string, unknown>): OpenCall {
  const { index, id, type: _, function: called, ...rest } = delta
  const { name, arguments: args } = isObject(called) ? called : {}
  return {
    index,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: typeof args === 'string' ? args : isObject(args) ? JSON.stringify(args) : '',
    rest,
  }
}

/** Whether a piece belongs to a call that has begun. */
function goesOn(call: OpenCall, piece: OpenCall, isLast: boolean): boolean {
  const haveIds = piece.id !== '' && call.id !== ''
  if (haveIds && piece.id === call.id) return true
  // only a piece with a name begins a call: some servers give every piece an id of its own
  if (haveIds && piece.name !== '') return false
  const isInPlace = piece.index === undefined ? isLast : piece.index === call.index
  if (!isInPlace) return false
  // and some repeat the name with every piece
  return piece.name === '' || call.name === '' || (piece.index !== undefined && !isWhole(call))
}

function isWhole(call: OpenCall): boolean {
  try {
    JSON.parse(call.arguments)
    return true
  } catch {
    return false
  }
}
