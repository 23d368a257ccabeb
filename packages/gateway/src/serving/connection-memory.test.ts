import { describe, expect, it, vi } from 'vitest'
import {
  addFound,
  addSubscription,
  createConnectionMemory,
  type Remembered,
  removeSubscription,
} from './connection-memory.ts'
import { followMemory } from './follow-memory.ts'

/** What several replicas share, with a delay. */
function createShared() {
  let stored: Remembered = { found: [], subscriptions: [] }
  return {
    async save(change: (before: Remembered) => Remembered) {
      await Promise.resolve()
      stored = change(stored)
      return stored
    },
    load: async () => stored,
  }
}

describe('the memory of a connection', () => {
  it('is changed here at once, and elsewhere after a refresh', async () => {
    const shared = createShared()
    const [one, other] = [createConnectionMemory(), createConnectionMemory()]
    one.shared = shared
    other.shared = shared
    const saved = one.change((before) => addFound(before, ['a', 'b']))
    expect(one.values.found).toEqual(['a', 'b'])
    expect(one.saving).toBeDefined()
    await saved
    expect(one.saving).toBeUndefined()
    await other.change((before) => addFound(before, ['c']))
    expect(other.values.found).toEqual(['a', 'b', 'c'])
    await one.refresh()
    expect(one.values.found).toEqual(['a', 'b', 'c'])
  })

  it('keeps concurrent changes', async () => {
    const memory = createConnectionMemory()
    memory.shared = createShared()
    const changes = Array.from({ length: 20 }, (_, index) =>
      memory.change((before) => addFound(before, [`tool_${index}`])),
    )
    expect(memory.values.found).toHaveLength(20)
    await Promise.all(changes)
    expect(memory.values.found).toHaveLength(20)
  })

  it('remains as it is here if it cannot be shared', async () => {
    const memory = createConnectionMemory()
    const fail = () => Promise.reject(new Error('away'))
    memory.shared = { save: fail, load: fail }
    await memory.change((before) => addSubscription(before, 'x://1'))
    await memory.refresh()
    expect(memory.values.subscriptions).toEqual(['x://1'])
  })

  it('tells what another replica has changed, once', () => {
    const memory = createConnectionMemory()
    const heard: string[] = []
    followMemory(memory, {
      onFound: () => heard.push('found'),
      onLevel: (level) => heard.push(level),
      onSubscribed: async (uri) => heard.push(`+${uri}`),
      onUnsubscribed: async (uri) => heard.push(`-${uri}`),
    })
    const values = { found: ['a'], level: 'error', subscriptions: ['x://1', 'x://2'] }
    memory.replace(values)
    memory.replace({ ...values })
    memory.replace(removeSubscription(values, 'x://1'))
    expect(heard).toEqual(['found', 'error', '+x://1', '+x://2', '-x://1'])
  })

  it('does not save what does not change anything', async () => {
    const memory = createConnectionMemory()
    const save = vi.fn()
    memory.shared = { save, load: async () => undefined }
    await memory.change((before) => addFound(before, []))
    await memory.change((before) => removeSubscription(before, 'x://unknown'))
    expect(save).not.toHaveBeenCalled()
  })
})
