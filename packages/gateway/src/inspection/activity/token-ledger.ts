import type { TokenLedger } from './activity-report.ts'

/** What one call adds to a conversation, in tokens. */
export interface CallCost {
  /** Every tool in one request. */
  readonly eager: number
  /** What the gateway lists instead. */
  readonly listed: number
  /** The answer, if it is about tools: a search or a description. @default 0 */
  readonly answer?: number
  /** The tool definitions within that answer. @default 0 */
  readonly definitions?: number
}

export interface LedgerState extends TokenLedger {
  /** Tokens that are part of the conversation by now, and so of every further request. */
  readonly carried: { readonly answers: number; readonly definitions: number }
  /** The tokens without the latest request, to which parallel calls still add answers. */
  readonly earlier: Omit<TokenLedger, 'requests'>
}

const NOTHING = { listing: 0, searches: 0, loaded: 0, saved: 0, extra: 0 }

export const EMPTY_LEDGER: LedgerState = {
  ...NOTHING,
  requests: 0,
  carried: { answers: 0, definitions: 0 },
  earlier: NOTHING,
}

/**
 * Returns the ledger after one more call.
 *
 * @param isParallel whether the model made the call together with the previous one: their answers then
 *   go to the model in the same request
 */
export function addCall(
  before: LedgerState,
  { eager, listed, answer = 0, definitions = 0 }: CallCost,
  isParallel = false,
): LedgerState {
  const isSameRequest = isParallel && before.requests > 0
  const { requests, listing, searches, loaded, saved, extra } = before
  const earlier = isSameRequest ? before.earlier : { listing, searches, loaded, saved, extra }
  const carried = {
    answers: before.carried.answers + answer,
    definitions: before.carried.definitions + definitions,
  }
  const gain = eager - listed - carried.answers
  return {
    requests: isSameRequest ? requests : requests + 1,
    listing: earlier.listing + listed,
    searches: earlier.searches + carried.answers,
    loaded: earlier.loaded + carried.definitions,
    saved: earlier.saved + Math.max(0, gain),
    extra: earlier.extra + Math.max(0, -gain),
    carried,
    earlier,
  }
}
