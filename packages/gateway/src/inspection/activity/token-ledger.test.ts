import { describe, expect, it } from 'vitest'
import { addCall, EMPTY_LEDGER } from './token-ledger.ts'

describe('addCall', () => {
  it('counts an answer in every later request', () => {
    const searched = addCall(EMPTY_LEDGER, {
      eager: 1_000,
      listed: 100,
      answer: 50,
      definitions: 40,
    })
    expect(searched).toMatchObject({
      requests: 1,
      listing: 100,
      searches: 50,
      loaded: 40,
      saved: 850,
    })
    const called = addCall(searched, { eager: 1_000, listed: 100 })
    expect(called).toMatchObject({
      requests: 2,
      listing: 200,
      searches: 100,
      loaded: 80,
      saved: 1_700,
    })
  })

  it('is negative if a search costs more than all tools', () => {
    expect(addCall(EMPTY_LEDGER, { eager: 100, listed: 100, answer: 30 }).saved).toBe(-30)
  })
})
