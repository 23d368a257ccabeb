import { describe, expect, it } from 'vitest'
import { createCancellation } from '../protocol/cancellation.ts'
import { createFairPlaces } from './fair-places.ts'

/** Somebody who takes a place as soon as there is one, and writes down the order. */
function visitors(places: ReturnType<typeof createFairPlaces>) {
  const order: string[] = []
  const leaving = new Map<string, () => void>()
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    order,
    come(visitor: string, person?: string) {
      return places.take(person).then((leave) => {
        order.push(visitor)
        leaving.set(visitor, leave)
      })
    },
    async leave(visitor: string) {
      leaving.get(visitor)!()
      await settled()
    },
    settled,
  }
}

describe('createFairPlaces', () => {
  it('gives one person at most half of the places, and others the rest', async () => {
    const { order, come, leave, settled } = visitors(createFairPlaces({ places: 4, maxWaiting: 8 }))
    for (const visitor of ['a1', 'a2', 'a3']) void come(visitor, 'a')
    void come('b1', 'b')
    await settled()
    expect(order).toEqual(['a1', 'a2', 'b1'])
    await leave('b1')
    expect(order).toEqual(['a1', 'a2', 'b1'])
    await leave('a1')
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('gives all places to scripts without a person', async () => {
    const { order, come, settled } = visitors(createFairPlaces({ places: 4, maxWaiting: 8 }))
    for (const visitor of ['1', '2', '3', '4', '5']) void come(visitor)
    await settled()
    expect(order).toEqual(['1', '2', '3', '4'])
  })

  it('serves people in turn, and each in the order of arrival', async () => {
    const { order, come, leave } = visitors(createFairPlaces({ places: 2, maxWaiting: 12 }))
    await Promise.all([come('a1', 'a'), come('b1', 'b')])
    for (const visitor of ['a2', 'a3', 'a4']) void come(visitor, 'a')
    for (const visitor of ['c1', 'c2']) void come(visitor, 'c')
    void come('b2', 'b')
    for (const visitor of ['a1', 'b1', 'a2', 'c1', 'b2', 'a3']) await leave(visitor)
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'c2', 'a4'])
  })

  it('lets one person fill only half of the queue', async () => {
    const { come } = visitors(createFairPlaces({ places: 2, maxWaiting: 4 }))
    await Promise.all([come('a1', 'a'), come('b1', 'b')])
    for (const visitor of ['a2', 'a3']) void come(visitor, 'a')
    await expect(come('a4', 'a')).rejects.toThrow('Too many of your scripts')
    for (const visitor of ['b2', 'b3']) void come(visitor, 'b')
    await expect(come('c1', 'c')).rejects.toThrow('Too many scripts are running')
  })

  it('stops waiting when the client cancels', async () => {
    const places = createFairPlaces({ places: 1, maxWaiting: 1 })
    const leave = await places.take('a')
    const { signal, cancel } = createCancellation()
    const cancelled = places.take('b', signal)
    cancel()
    await expect(cancelled).rejects.toThrow('cancelled')
    // The only place in the queue is free again, and whoever waited there gets nothing.
    const next = places.take('c')
    leave()
    expect(await next).toBeTypeOf('function')
    await expect(places.take('d', signal)).rejects.toThrow('cancelled')
  })

  it('refuses everybody once it is closed', async () => {
    const places = createFairPlaces({ places: 1, maxWaiting: 1 })
    const leave = await places.take('a')
    const waiting = places.take('b')
    places.close()
    await expect(waiting).rejects.toThrow('The gateway is closing.')
    leave()
    await expect(places.take('a')).rejects.toThrow('The gateway is closing.')
  })
})
