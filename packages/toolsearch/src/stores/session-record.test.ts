import { describe, expect, it } from 'vitest'
import { addLoaded, EMPTY_RECORD } from './session-record.ts'

const tool = (name: string, fingerprint = '1') => ({ name, fingerprint })

describe('addLoaded', () => {
  it('adds tools in order and names the new ones', () => {
    const first = addLoaded(EMPTY_RECORD, [tool('y'), tool('x'), tool('y')])
    expect(first.record.loaded).toEqual([tool('y'), tool('x')])
    expect(first.result).toEqual({ added: ['y', 'x'], updated: [] })
    const second = addLoaded(first.record, [tool('z'), tool('x')])
    expect(second.record.loaded).toEqual([tool('y'), tool('x'), tool('z')])
    expect(second.result).toEqual({ added: ['z'], updated: [] })
  })

  it('updates the fingerprint of a loaded tool in its place', () => {
    const { record } = addLoaded(EMPTY_RECORD, [tool('x', 'old'), tool('y')])
    const updated = addLoaded(record, [tool('x', 'new')])
    expect(updated.record.loaded).toEqual([tool('x', 'new'), tool('y')])
    expect(updated.result).toEqual({ added: [], updated: ['x'] })
  })

  it('returns the same record if nothing changes, and never changes the given one', () => {
    const { record } = addLoaded(EMPTY_RECORD, [tool('x')])
    expect(addLoaded(record, [tool('x')]).record).toBe(record)
    expect(addLoaded(record, []).record).toBe(record)
    const copy = structuredClone(record)
    addLoaded(record, [tool('x', '2'), tool('y')])
    expect(record).toEqual(copy)
    expect(EMPTY_RECORD).toEqual({ loaded: [], active: false, sent: [] })
  })
})
