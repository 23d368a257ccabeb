import { describe, expect, it } from 'vitest'
import { serversSummary } from './summary.ts'

describe('serversSummary', () => {
  it('counts the servers that are not ready', () => {
    const states = ['ready', 'idle', 'failed', 'connecting', 'needs-sign-in', 'failed'] as const
    expect(serversSummary(states.map((state) => ({ state })))).toEqual({
      ready: 2,
      isTroubled: true,
      note: '2 failed, 1 needs sign-in, 1 connecting',
    })
  })

  it('has no note if all servers are ready', () => {
    expect(serversSummary([{ state: 'ready' }])).toEqual({
      ready: 1,
      isTroubled: false,
      note: undefined,
    })
  })
})
