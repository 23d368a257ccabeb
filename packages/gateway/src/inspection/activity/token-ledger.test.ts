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

  it('counts a request that takes more than all tools as extra, not as negative savings', () => {
    const ledger = addCall(EMPTY_LEDGER, { eager: 100, listed: 100, answer: 30 })
    expect(ledger).toMatchObject({ saved: 0, extra: 30 })
  })

  it('counts parallel calls as one request, whose answers are sent once', () => {
    const cost = { eager: 20_000, listed: 1_000, answer: 900 }
    let ledger = EMPTY_LEDGER
    for (let at = 0; at < 150; at++) ledger = addCall(ledger, cost, at > 0)
    expect(ledger).toMatchObject({
      requests: 1,
      listing: 1_000,
      searches: 135_000,
      saved: 0,
      extra: 116_000,
    })
  })

  it('keeps what earlier requests saved when a later one saves nothing', () => {
    const first = addCall(EMPTY_LEDGER, { eager: 1_000, listed: 100, answer: 100 })
    const second = addCall(first, { eager: 1_000, listed: 100, answer: 900 })
    expect(second).toMatchObject({ requests: 2, saved: 800, extra: 100 })
    expect(addCall(second, { eager: 1_000, listed: 100, answer: 50 }, true)).toMatchObject({
      requests: 2,
      saved: 800,
      extra: 150,
    })
  })
})
