import { describe, expect, it } from 'vitest'
import { createSerialQueue } from './serial-queue.ts'

describe('createSerialQueue', () => {
  it('runs the steps of one key one after another', async () => {
    const inOrder = createSerialQueue()
    const log: string[] = []
    const step = (name: string) => async () => {
      log.push(`${name} starts`)
      await Promise.resolve()
      log.push(`${name} ends`)
      return name
    }
    const results = await Promise.all([inOrder('x', step('a')), inOrder('x', step('b'))])
    expect(results).toEqual(['a', 'b'])
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends'])
  })

  it('runs the steps of different keys concurrently', async () => {
    const inOrder = createSerialQueue()
    void inOrder('x', () => new Promise(() => {}))
    expect(await inOrder('y', async () => 'done')).toBe('done')
  })

  it('rejects only the step that fails', async () => {
    const inOrder = createSerialQueue()
    const failed = inOrder('x', () => Promise.reject(new Error('disk full')))
    const next = inOrder('x', async () => 'done')
    await expect(failed).rejects.toThrow('disk full')
    expect(await next).toBe('done')
  })
})
