import { describe, expect, it } from 'vitest'
import { serversSummary } from './summary.ts'

describe('serversSummary', () => {
  it('says what keeps servers from being ready', () => {
    const states = ['ready', 'idle', 'failed', 'connecting', 'needs-sign-in', 'failed'] as const
    expect(serversSummary(states.map((state) => ({ state })))).toEqual({
      ready: 2,
      isTroubled: true,
      note: '2 failed, 1 to sign in, 1 connecting',
    })
  })

  it('has nothing to say when all is well', () => {
    expect(serversSummary([{ state: 'ready' }])).toEqual({
      ready: 1,
      isTroubled: false,
      note: undefined,
    })
  })
})
