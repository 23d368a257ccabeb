import { describe, expect, it } from 'vitest'
import { ledgerRows } from './ledger-rows.ts'

describe('ledgerRows', () => {
  it('shows each row as a share of what listing every tool would cost', () => {
    const rows = ledgerRows({
      requests: 2,
      listing: 100,
      searches: 100,
      loaded: 50,
      saved: 800,
      extra: 0,
    })
    expect(rows.map(({ kind, share }) => [kind, share])).toEqual([
      ['listing', 0.1],
      ['searches', 0.1],
      ['loaded', 0.05],
      ['saved', 0.8],
    ])
  })

  it('never shows negative savings', () => {
    const rows = ledgerRows({
      requests: 1,
      listing: 100,
      searches: 0,
      loaded: 0,
      saved: 0,
      extra: 40,
    })
    expect(rows.at(-1)).toMatchObject({ tokens: 0, share: 0 })
  })
})
