import { describe, expect, it } from 'vitest'
import { accessWords } from './access-words.ts'

describe('accessWords', () => {
  it('says how agents come to it', () => {
    const access = { shown: 'by-search', callWith: 'call_tool', reach: 'this-machine' } as const
    expect(accessWords({ access })).toEqual([
      'Agents find it by search.',
      'They call it with call_tool.',
      'The gateway answers programs on this machine only.',
    ])
  })

  it('does not say how to call what is withheld', () => {
    const access = { shown: 'withheld', reach: 'who-has-the-token' } as const
    expect(accessWords({ access })).toEqual([
      'Nobody for now: it has changed, and is withheld until it is accepted.',
      'The gateway answers whoever shows its token.',
    ])
  })
})
