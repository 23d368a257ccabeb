import { describe, expect, it } from 'vitest'
import { createKeyedQueue } from './keyed-queue.ts'

describe('createKeyedQueue', () => {
  it('runs the tasks of one key in order, and others at the same time', async () => {
    const enqueue = createKeyedQueue()
    const steps: string[] = []
    let release = () => {}
    const first = enqueue('a', async () => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      steps.push('first')
    })
    const second = enqueue('a', async () => void steps.push('second'))
    await enqueue('b', async () => void steps.push('other key'))
    release()
    await Promise.all([first, second])
    expect(steps).toEqual(['other key', 'first', 'second'])
  })

  it('goes on after a task that failed', async () => {
    const enqueue = createKeyedQueue()
    const failed = enqueue('a', () => Promise.reject(new Error('no')))
    const next = enqueue('a', async () => 'next')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('next')
  })
})
