import { describe, expect, it } from 'vitest'
import { createMemoryState } from '../../state/memory-state.ts'
import { createSessionRecords, type SessionEvent } from './session-records.ts'

const record = { person: 'issuer ada', initialize: {}, found: [], subscriptions: [] }

function start(maxPerPerson?: number) {
  const state = createMemoryState()
  const events: SessionEvent[] = []
  const records = createSessionRecords(state, {
    idleMs: 60_000,
    ...(maxPerPerson && { maxPerPerson }),
    onEvent: (event) => events.push(event),
    onGap: () => {},
  })
  return { state, records, events }
}

describe('createSessionRecords', () => {
  it('stores a session again that the store has dropped', async () => {
    const { state, records } = start()
    await records.create('a', record)
    await state.delete('session:a')
    await records.touch('a', record)
    expect(await records.read('a')).toEqual(record)
  })

  it('ends the oldest session of a person who has too many, and no session of others', async () => {
    const { records, events } = start(2)
    await records.create('of another', { ...record, person: 'issuer bob' })
    for (const id of ['a', 'b', 'c']) await records.create(id, record)
    expect(await records.read('a')).toBeUndefined()
    expect(events).toEqual([{ kind: 'closed', session: 'a' }])
    for (const id of ['b', 'c']) expect(await records.read(id)).toEqual(record)
    expect(await records.read('of another')).toBeDefined()
  })

  it('counts a large session as several', async () => {
    const { records } = start(4)
    for (const id of ['a', 'b']) await records.create(id, record)
    await records.create('large', { ...record, initialize: { x: 'x'.repeat(25_000) } })
    const known = await Promise.all(['a', 'b', 'large'].map(records.read))
    expect(known.map((each) => each !== undefined)).toEqual([false, true, true])
  })

  it('never stores a session again that was removed', async () => {
    const { records } = start()
    await records.create('a', record)
    await records.remove('a')
    expect(await records.read('a')).toBeUndefined()
    await records.touch('a', record)
    expect(await records.change('a', (before) => before)).toBeUndefined()
    expect(await records.read('a')).toBeUndefined()
  })
})
