import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBackgroundQueue } from './background-queue.ts'

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('createBackgroundQueue', () => {
  it('runs tasks later, in order, also those that tasks add', async () => {
    const add = createBackgroundQueue()
    const ran: number[] = []
    add(() => {
      ran.push(1)
      add(() => ran.push(3))
    })
    add(() => ran.push(2))
    expect(ran).toEqual([])
    await expect.poll(() => ran).toEqual([1, 2, 3])
    add(() => ran.push(4))
    await expect.poll(() => ran).toEqual([1, 2, 3, 4])
  })

  it('lets other work run between long tasks', async () => {
    const add = createBackgroundQueue()
    let ran = 0
    for (let task = 0; task < 10; task++) {
      add(() => {
        work(6)
        ran += 1
      })
    }
    await setImmediate()
    await setImmediate()
    expect(ran).toBeGreaterThan(0)
    expect(ran).toBeLessThan(10)
    await expect.poll(() => ran).toBe(10)
  })
})
