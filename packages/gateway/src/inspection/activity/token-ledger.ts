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
}

export const EMPTY_LEDGER: LedgerState = {
  requests: 0,
  listing: 0,
  searches: 0,
  loaded: 0,
  saved: 0,
  carried: { answers: 0, definitions: 0 },
}

/** Returns the ledger after one more call. */
export function addCall(
  before: LedgerState,
  { eager, listed, answer = 0, definitions = 0 }: CallCost,
): LedgerState {
  const carried = {
    answers: before.carried.answers + answer,
    definitions: before.carried.definitions + definitions,
  }
  return {
    requests: before.requests + 1,
    listing: before.listing + listed,
    searches: before.searches + carried.answers,
    loaded: before.loaded + carried.definitions,
    saved: before.saved + eager - listed - carried.answers,
    carried,
  }
}
