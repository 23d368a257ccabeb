import type { TokenLedger } from './session-report.ts'

/** What one call adds to a conversation, in tokens. */
export interface CallCost {
  /** Every tool in one request. */
  readonly eager: number
  /** What the gateway lists instead. */
  readonly listed: number
  /** What was answered about tools. @default 0 */
  readonly told?: number
  /** Definitions of tools among that. @default 0 */
  readonly definitions?: number
}

export interface LedgerState extends TokenLedger {
  /** What is in the conversation by now, and in every further request. */
  readonly carried: { readonly told: number; readonly definitions: number }
}

export const EMPTY_LEDGER: LedgerState = {
  requests: 0,
  listing: 0,
  searches: 0,
  loaded: 0,
  saved: 0,
  carried: { told: 0, definitions: 0 },
}

/** The ledger after one more call. */
export function addCall(
  before: LedgerState,
  { eager, listed, told = 0, definitions = 0 }: CallCost,
): LedgerState {
  const carried = {
    told: before.carried.told + told,
    definitions: before.carried.definitions + definitions,
  }
  return {
    requests: before.requests + 1,
    listing: before.listing + listed,
    searches: before.searches + carried.told,
    loaded: before.loaded + carried.definitions,
    saved: before.saved + eager - listed - carried.told,
    carried,
  }
}
