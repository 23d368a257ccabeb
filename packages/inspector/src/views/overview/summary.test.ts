import { describe, expect, it } from 'vitest'
import { serversSummary } from './summary.ts'

describe('serversSummary', () => {
  it('counts the servers in each state, problems first', () => {
    const states = ['ready', 'idle', 'failed', 'connecting', 'needs-sign-in', 'failed'] as const
    expect(serversSummary(states.map((state) => ({ state, tools: 0 })))).toEqual({
      isTroubled: true,
      note: '2 failed, 1 needs sign-in, 1 connecting, 1 ready, 1 idle',
    })
  })

  it('does not call idle servers ready', () => {
    expect(serversSummary([1, 2, 3, 4].map((tools) => ({ state: 'idle', tools })))).toEqual({
      isTroubled: false,
      note: '4 idle, tools from cache',
    })
  })
})
