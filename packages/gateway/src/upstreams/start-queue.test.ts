import { describe, expect, it, vi } from 'vitest'
import { createStartQueue, type StartQueue } from './start-queue.ts'

function join(queue: StartQueue, names: string[]) {
  const started: string[] = []
  const tickets = Object.fromEntries(
    names.map((name) => {
      const ticket = queue.enter()
      void ticket.turn.then(() => started.push(name))
      return [name, ticket]
    }),
  )
  return { started, tickets }
}

const settle = () => new Promise<void>((resolve) => queueMicrotask(resolve))

describe('createStartQueue', () => {
  it('lets a few start at once, and the next one when one has ended', async () => {
    const { started, tickets } = join(createStartQueue({ size: 2 }), ['a', 'b', 'c', 'd'])
    await settle()
    expect(started).toEqual(['a', 'b'])
    tickets.b!.end()
    tickets.b!.end()
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('lets those that somebody waits for start next', async () => {
    const { started, tickets } = join(createStartQueue({ size: 1 }), ['a', 'b', 'c', 'd'])
    tickets.d!.hurry()
    tickets.a!.hurry()
    tickets.a!.end()
    await settle()
    expect(started).toEqual(['a', 'd'])
  })

  it('forgets one that ends before its turn', async () => {
    const { started, tickets } = join(createStartQueue({ size: 1 }), ['a', 'b', 'c'])
    tickets.b!.end()
    tickets.a!.end()
    await settle()
    expect(started.sort()).toEqual(['a', 'b', 'c'])
  })

  it('does not wait forever for one that hangs', async () => {
    vi.useFakeTimers()
    const { started, tickets } = join(createStartQueue({ size: 1, holdMs: 1_000 }), ['a', 'b', 'c'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(started).toEqual(['a', 'b'])
    tickets.a!.end()
    await settle()
    expect(started).toEqual(['a', 'b'])
    vi.useRealTimers()
  })
})
