import { describe, expect, it } from 'vitest'
import { createRequestQueue } from './request-queue.ts'
import type { EncodeRequest } from './worker-messages.ts'

const texts = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const documents = (id: number, count: number): EncodeRequest => ({
  id,
  kind: 'document',
  texts: texts(`d${id}-`, count),
})
const query = (id: number): EncodeRequest => ({ id, kind: 'query', texts: [`q${id}`] })
const vectors = (given: readonly string[]) => given.map((text) => Float32Array.of(text.length))

describe('createRequestQueue', () => {
  it('has nothing to encode at first', () => {
    expect(createRequestQueue().next()).toEqual([])
  })

  it('takes documents a few at a time, and completes a request with its last one', () => {
    const queue = createRequestQueue()
    queue.add(documents(1, 6))
    const first = queue.next()
    expect(first).toEqual(texts('d1-', 4))
    expect(queue.complete(vectors(first))).toEqual([])
    const last = queue.next()
    expect(last).toEqual(['d1-4', 'd1-5'])
    expect(queue.complete(vectors(last))).toEqual([{ id: 1, vectors: vectors(texts('d1-', 6)) }])
    expect(queue.next()).toEqual([])
  })

  it('takes a query between two parts of a request for documents', () => {
    const queue = createRequestQueue()
    queue.add(documents(1, 6))
    queue.complete(vectors(queue.next()))
    queue.add(query(2))
    expect(queue.next()).toEqual(['q2'])
    expect(queue.complete(vectors(['q2'])).map(({ id }) => id)).toEqual([2])
    expect(queue.next()).toEqual(['d1-4', 'd1-5'])
  })

  it('forgets a request that was cancelled', () => {
    const queue = createRequestQueue()
    queue.add(query(1))
    queue.add(documents(2, 6))
    queue.cancel(1)
    queue.cancel(99)
    const part = queue.next()
    expect(part).toEqual(texts('d2-', 4))
    queue.cancel(2)
    expect(queue.complete(vectors(part))).toEqual([])
    expect(queue.next()).toEqual([])
  })

  it('takes all queries together', () => {
    const queue = createRequestQueue()
    queue.add(query(1))
    queue.add(query(2))
    expect(queue.next()).toEqual(['q1', 'q2'])
    queue.add(query(3))
    expect(queue.complete(vectors(['q1', 'q2'])).map(({ id }) => id)).toEqual([1, 2])
    expect(queue.next()).toEqual(['q3'])
  })
})
