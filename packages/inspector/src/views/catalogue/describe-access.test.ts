import { describe, expect, it } from 'vitest'
import { describeAccess } from './describe-access.ts'

describe('describeAccess', () => {
  it('explains how agents find and call the tool', () => {
    const access = { shown: 'by-search', callWith: 'call_tool', reach: 'this-machine' } as const
    expect(describeAccess({ access })).toEqual([
      'Agents find it by search.',
      'Agents call it with call_tool.',
      'The gateway accepts requests from this machine only.',
    ])
  })

  it('does not explain how to call a withheld tool', () => {
    const access = { shown: 'withheld', reach: 'token-holders' } as const
    expect(describeAccess({ access })).toEqual([
      'Withheld: agents cannot find or use it.',
      'The gateway accepts requests with its token only.',
    ])
  })
})
