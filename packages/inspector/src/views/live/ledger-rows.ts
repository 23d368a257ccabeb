import type { TokenLedger } from '../../api/contract.ts'

export interface LedgerRow {
  readonly kind: 'listing' | 'searches' | 'loaded' | 'saved'
  readonly label: string
  readonly tokens: number
  /** Of what every tool in each request would have cost. */
  readonly share: number
}

/** What a session's tools cost, line by line, beside what they would have cost. */
export function ledgerRows({ listing, searches, loaded, saved }: TokenLedger): LedgerRow[] {
  const whole = Math.max(1, listing + searches + Math.max(0, saved))
  const row = (kind: LedgerRow['kind'], label: string, tokens: number) => ({
    kind,
    label,
    tokens,
    share: Math.max(0, tokens) / whole,
  })
  return [
    row('listing', 'The list, in each request', listing),
    row('searches', 'What searches answered', searches),
    row('loaded', 'Definitions of tools among that', loaded),
    row('saved', 'Saved', saved),
  ]
}
