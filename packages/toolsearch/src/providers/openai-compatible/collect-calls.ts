import { isObject } from '../../is-object.ts'

/** The part of a call received so far. */
interface PartialCall {
  index: unknown
  id: string
  name: string
  /** JSON, or the plain text of a custom call. */
  arguments: string
  isCustom: boolean
  rest: Record<string, unknown>
}

export interface CallsCollector {
  add(delta: unknown): void
  replace(calls: readonly unknown[]): void
  /** How many calls from the start are complete: no later piece of the stream belongs to them. */
  complete(): number
  /** The calls received so far, in the shape of complete ones. */
  list(): Record<string, unknown>[]
}

/**
 * Assembles calls from deltas. Most servers send a call in pieces with an index. Some send it in one
 * piece, omit the index or the id, repeat the id in every piece, or give every call the index 0.
 */
export function collectCalls(): CallsCollector {
  let calls: PartialCall[] = []
  return {
    add(delta) {
      if (!isObject(delta)) return
      const piece = readPiece(delta)
      const call = calls.findLast((candidate) =>
        belongsTo(candidate, piece, candidate === calls.at(-1)),
      )
      if (call === undefined) {
        calls.push(piece)
        return
      }
      call.id ||= piece.id
      call.name ||= piece.name
      call.arguments += piece.arguments
      call.isCustom ||= piece.isCustom
      call.rest = { ...call.rest, ...piece.rest }
    },
    replace(complete) {
      calls = complete.filter(isObject).map(readPiece)
    },
    complete() {
      const incomplete = calls.findIndex((call) => !hasValidJson(call))
      // The last call may still get pieces, and pieces of several calls may alternate.
      return Math.max(0, Math.min(incomplete < 0 ? calls.length : incomplete, calls.length - 1))
    },
    list: () =>
      calls.map(({ id, name, arguments: args, isCustom, rest }) => ({
        ...rest,
        id,
        ...(isCustom
          ? { type: 'custom', custom: { name, input: args } }
          : { type: 'function', function: { name, arguments: args } }),
      })),
  }
}

function readPiece(delta: Record<string, unknown>): PartialCall {
  const { index, id, type: _, function: called, custom, ...rest } = delta
  const isCustom = isObject(custom)
  const { name, arguments: json, input } = isCustom ? custom : isObject(called) ? called : {}
  const args = isCustom ? input : json
  return {
    index,
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: typeof args === 'string' ? args : isObject(args) ? JSON.stringify(args) : '',
    isCustom,
    rest,
  }
}

/** Whether a piece continues this call. */
function belongsTo(call: PartialCall, piece: PartialCall, isLast: boolean): boolean {
  const bothHaveIds = piece.id !== '' && call.id !== ''
  if (bothHaveIds && piece.id === call.id) return true
  // Only a piece with a name starts a new call: some servers give every piece a different id.
  if (bothHaveIds && piece.name !== '') return false
  const hasIndexOfCall = piece.index === undefined ? isLast : piece.index === call.index
  if (!hasIndexOfCall) return false
  // Some servers repeat the name in every piece.
  return piece.name === '' || call.name === '' || (piece.index !== undefined && !hasValidJson(call))
}

function hasValidJson(call: PartialCall): boolean {
  if (call.isCustom) return true
  try {
    JSON.parse(call.arguments)
    return true
  } catch {
    return false
  }
}
