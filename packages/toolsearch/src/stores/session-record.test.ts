import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addToRecord, EMPTY_RECORD, type SessionAddition } from './session-record.ts'

const names = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
const addition = fc.record(
  {
    loaded: names.map((list) => list.map((name) => ({ name, fingerprint: '1' }))),
    active: fc.constant(true as const),
    sent: names,
    announced: names,
    withdrawn: names,
    announcement: fc.constantFrom('', 'list'),
  },
  { requiredKeys: [] },
)

describe('addToRecord', () => {
  it('does not change the given record', () => {
    const before = Object.freeze(
      addToRecord(EMPTY_RECORD, {
        loaded: [{ name: 'x', fingerprint: '1' }],
        sent: ['x'],
        announced: ['y'],
      }),
    )
    const copy = structuredClone(before)
    addToRecord(before, {
      loaded: [{ name: 'x', fingerprint: '2' }],
      active: true,
      sent: ['z'],
      announced: ['z'],
      withdrawn: ['y'],
      announcement: 'list',
    })
    expect(before).toEqual(copy)
    expect(EMPTY_RECORD).toEqual({ loaded: [], active: false, sent: [], announced: [] })
  })

  it('withdraws a tool announced in the same addition', () => {
    const record = addToRecord(EMPTY_RECORD, { announced: ['x', 'y'], withdrawn: ['x'] })
    expect(record.announced).toEqual(['y'])
  })

  it('has no announcement initially', () => {
    expect(addToRecord(EMPTY_RECORD, { sent: ['x'] })).not.toHaveProperty('announcement')
  })

  it('returns plain JSON', () => {
    fc.assert(
      fc.property(fc.array(addition), (additions) => {
        const record = (additions as SessionAddition[]).reduce(addToRecord, EMPTY_RECORD)
        expect(JSON.parse(JSON.stringify(record))).toEqual(record)
      }),
    )
  })

  it('does not change the record if the last addition is repeated', () => {
    fc.assert(
      fc.property(fc.array(addition), addition, (additions, last) => {
        const before = (additions as SessionAddition[]).reduce(addToRecord, EMPTY_RECORD)
        const once = addToRecord(before, last as SessionAddition)
        expect(addToRecord(once, last as SessionAddition)).toEqual(once)
      }),
    )
  })

  it('never removes or reorders loaded or sent tools', () => {
    fc.assert(
      fc.property(fc.array(addition), addition, (additions, last) => {
        const before = (additions as SessionAddition[]).reduce(addToRecord, EMPTY_RECORD)
        const after = addToRecord(before, last as SessionAddition)
        expect(after.loaded.slice(0, before.loaded.length)).toEqual(before.loaded)
        expect(after.sent.slice(0, before.sent.length)).toEqual(before.sent)
        expect(after.active).toBe(before.active || last.active === true)
      }),
    )
  })
})
