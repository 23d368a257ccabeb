import { describe, expect, it } from 'vitest'
import { createCancellation } from '../protocol/cancellation.ts'
import { createFairPlaces } from './fair-places.ts'

/** Takes places for scripts, and keeps the order in which they got one. */
function scriptsIn(places: ReturnType<typeof createFairPlaces>) {
  const order: string[] = []
  const releases = new Map<string, () => void>()
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    order,
    start(script: string, person?: string) {
      return places.take(person).then((leave) => {
        order.push(script)
        releases.set(script, leave)
      })
    },
    async end(script: string) {
      releases.get(script)!()
      await settled()
    },
    settled,
  }
}

describe('createFairPlaces', () => {
  it('gives one person at most half of the places, and others the rest', async () => {
    const { order, start, end, settled } = scriptsIn(createFairPlaces({ places: 4, maxWaiting: 8 }))
    for (const script of ['a1', 'a2', 'a3']) void start(script, 'a')
    void start('b1', 'b')
    await settled()
    expect(order).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(order).toEqual(['a1', 'a2', 'b1'])
    await end('a1')
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('gives all places to scripts without a person', async () => {
    const { order, start, settled } = scriptsIn(createFairPlaces({ places: 4, maxWaiting: 8 }))
    for (const script of ['1', '2', '3', '4', '5']) void start(script)
    await settled()
    expect(order).toEqual(['1', '2', '3', '4'])
  })

  it('serves people in turn, and each in the order of arrival', async () => {
    const { order, start, end } = scriptsIn(createFairPlaces({ places: 2, maxWaiting: 12 }))
    await Promise.all([start('a1', 'a'), start('b1', 'b')])
    for (const script of ['a2', 'a3', 'a4']) void start(script, 'a')
    for (const script of ['c1', 'c2']) void start(script, 'c')
    void start('b2', 'b')
    for (const script of ['a1', 'b1', 'a2', 'c1', 'b2', 'a3']) await end(script)
    expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'c2', 'a4'])
  })

  it('lets one person fill only half of the queue', async () => {
    const { start } = scriptsIn(createFairPlaces({ places: 2, maxWaiting: 4 }))
    await Promise.all([start('a1', 'a'), start('b1', 'b')])
    for (const script of ['a2', 'a3']) void start(script, 'a')
    await expect(start('a4', 'a')).rejects.toThrow('Too many of your scripts')
    for (const script of ['b2', 'b3']) void start(script, 'b')
    await expect(start('c1', 'c')).rejects.toThrow('Too many scripts are running')
  })

  it('stops waiting when the client cancels', async () => {
    const places = createFairPlaces({ places: 1, maxWaiting: 1 })
    const leave = await places.take('a')
    const { signal, cancel } = createCancellation()
    const cancelled = places.take('b', signal)
    cancel()
    await expect(cancelled).rejects.toThrow('cancelled')
    // The queue has room again, and the cancelled script does not get the place.
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
