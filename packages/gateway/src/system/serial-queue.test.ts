import { describe, expect, it } from 'vitest'
import { createSerialQueue } from './serial-queue.ts'

describe('createSerialQueue', () => {
  it('runs tasks one after the other, in the order in which they were added', async () => {
    const queue = createSerialQueue()
    const events: string[] = []
    const task = (name: string) => async () => {
      events.push(`${name} starts`)
      await Promise.resolve()
      events.push(`${name} ends`)
      return name
    }
    const results = await Promise.all([queue.run(task('a')), queue.run(task('b'))])
    expect(results).toEqual(['a', 'b'])
    expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
  })

  it('continues after a task that fails', async () => {
    const queue = createSerialQueue()
    const failed = queue.run(() => Promise.reject(new Error('failed')))
    const next = queue.run(() => 'next')
    await expect(failed).rejects.toThrow('failed')
    expect(await next).toBe('next')
  })

  it('is idle when every task has settled, including failed ones', async () => {
    const queue = createSerialQueue()
    let isDone = false
    queue.run(() => Promise.reject(new Error('failed'))).catch(() => {})
    void queue.run(async () => {
      await new Promise((done) => setTimeout(done, 5))
      isDone = true
    })
    await queue.idle()
    expect(isDone).toBe(true)
  })
})
