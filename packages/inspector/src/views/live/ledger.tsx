import type { JSX } from 'preact'
import type { TokenLedger } from '../../api/contract.ts'
import { Bar } from '../../parts/bar.tsx'
import { formatCount, formatMany } from '../../parts/format.ts'
import { ledgerRows } from './ledger-rows.ts'

export function Ledger({ ledger }: { readonly ledger: TokenLedger }): JSX.Element {
  return (
    <>
      <dl class="ledger">
        {ledgerRows(ledger).map(({ kind, label, tokens, share }) => (
          <div key={kind} data-kind={kind}>
            <dt>{label}</dt>
            <dd>{formatCount(tokens)}</dd>
            <Bar share={share} />
          </div>
        ))}
      </dl>
      <p class="muted">
        {formatMany(ledger.requests, 'request')}, counting one per call. Real agents may send more.
      </p>
    </>
  )
}
