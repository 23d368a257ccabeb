import { describe, expect, it } from 'vitest'
import { ledgerRows } from './ledger-rows.ts'

describe('ledgerRows', () => {
  const ledger = { requests: 2, listing: 100, searches: 100, loaded: 50, saved: 800, extra: 0 }

  it('shows each row as a share of what listing every tool would cost', () => {
    expect(ledgerRows(ledger).map(({ kind, share }) => [kind, share])).toEqual([
      ['listing', 0.1],
      ['searches', 0.1],
      ['loaded', 0.05],
      ['saved', 0.8],
    ])
  })

  it('shows what a session took in addition, instead of negative savings', () => {
    expect(ledgerRows({ ...ledger, saved: 0, extra: 40 }).slice(-2)).toMatchObject([
      { kind: 'saved', tokens: 0 },
      { kind: 'extra', tokens: 40 },
    ])
  })
})
