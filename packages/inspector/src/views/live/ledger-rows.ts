import type { TokenLedger } from '../../api/contract.ts'

export interface LedgerRow {
  readonly kind: 'listing' | 'searches' | 'loaded' | 'saved' | 'extra'
  readonly label: string
  readonly tokens: number
  /** Fraction of the tokens with every tool in each request. */
  readonly share: number
}

/** The token costs of a session, compared with the costs of every tool in each request. */
export function ledgerRows(ledger: TokenLedger): LedgerRow[] {
  const { listing, searches, loaded, saved, extra } = ledger
  const whole = Math.max(1, listing + searches + saved - extra)
  const row = (kind: LedgerRow['kind'], label: string, tokens: number) => ({
    kind,
    label,
    tokens,
    share: tokens / whole,
  })
  return [
    row('listing', 'Tool list, in each request', listing),
    row('searches', 'Search results', searches),
    row('loaded', 'of which tool definitions', loaded),
    row('saved', 'Saved', saved),
    ...(extra > 0 ? [row('extra', 'More than every tool would take', extra)] : []),
  ]
}
