import { describe, expect, it } from 'vitest'
import { createMemoryState } from '../../state/memory-state.ts'
import { createSessionRecords } from './session-records.ts'

const record = { person: 'issuer ada', initialize: {}, found: [], subscriptions: [] }

function start() {
  const state = createMemoryState()
  const records = createSessionRecords(state, {
    idleMs: 60_000,
    onEvent: () => {},
    onGap: () => {},
  })
  return { state, records }
}

describe('createSessionRecords', () => {
  it('stores a session again that the store has dropped', async () => {
    const { state, records } = start()
    await records.create('a', record)
    await state.delete('session:a')
    await records.touch('a', record)
    expect(await records.read('a')).toEqual(record)
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
