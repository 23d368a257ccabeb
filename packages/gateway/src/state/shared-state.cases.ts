import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SharedState } from './shared-state.ts'

const LONG = 600_000

/**
 * The contract of every `SharedState`, called by the test file of each.
 *
 * @param open opens a store that is empty, twice: as two processes would, if it can be shared
 */
export function describeSharedState(
  open: () => Promise<readonly [SharedState, SharedState]>,
): void {
  async function openBoth(): Promise<readonly [SharedState, SharedState]> {
    const both = await open()
    onTestFinished(async () => {
      for (const state of both) await state.close()
    })
    return both
  }

  describe('shared state contract: values', () => {
    it('has no value for an unknown key', async () => {
      const [state] = await openBoth()
      expect(await state.get('a')).toBeUndefined()
      expect(await state.touch('a', LONG)).toBe(false)
      expect(await state.delete('a')).toBe(false)
    })

    it('keeps a value for everybody until it is deleted', async () => {
      const [one, other] = await openBoth()
      await one.set('a', 'value', LONG)
      expect(await other.get('a')).toBe('value')
      await other.set('a', 'newer', LONG)
      expect(await one.get('a')).toBe('newer')
      expect(await one.delete('a')).toBe(true)
      expect(await other.get('a')).toBeUndefined()
      expect(await other.delete('a')).toBe(false)
    })

    it('accepts any text as a key and as a value, and distinguishes similar keys', async () => {
      const [state] = await openBoth()
      const texts = [
        '',
        ' ',
        'a',
        'A',
        'a b',
        'a:b',
        'a\n',
        '*',
        '{a}',
        '__proto__',
        'é',
        '会话',
        '👩‍👩‍👧',
      ]
      for (const text of texts) await state.set(text, `<${text}>`, LONG)
      for (const text of texts) expect(await state.get(text), text).toBe(`<${text}>`)
      await state.set('empty', '', LONG)
      expect(await state.get('empty')).toBe('')
      const long = 'ä'.repeat(1_000_000)
      await state.set('long', long, LONG)
      expect((await state.get('long')) === long).toBe(true)
    })

    it('drops a value when its time has passed', async () => {
      const [one, other] = await openBoth()
      await one.set('a', 'short', 50)
      await one.set('b', 'long', LONG)
      await expect.poll(() => other.get('a')).toBeUndefined()
      expect(await one.delete('a')).toBe(false)
      expect(await other.get('b')).toBe('long')
    })

    it('keeps a value for longer', async () => {
      const [one, other] = await openBoth()
      await one.set('kept', 'x', 5_000)
      await one.set('left', 'x', 5_000)
      expect(await other.touch('kept', LONG)).toBe(true)
      expect(await other.touch('left', 50)).toBe(true)
      await expect.poll(() => one.get('left')).toBeUndefined()
      expect(await one.get('kept')).toBe('x')
    })

    it('counts the time of an update from the update on', async () => {
      const [state] = await openBoth()
      await state.set('a', 'x', LONG)
      await state.update('a', (value) => `${value}y`, 50)
      await expect.poll(() => state.get('a')).toBeUndefined()
    })
  })

  describe('shared state contract: updates', () => {
    it('creates, replaces and deletes', async () => {
      const [one, other] = await openBoth()
      expect(await one.update('a', (value) => `${value}`, LONG)).toBe('undefined')
      expect(await other.update('a', (value) => `${value}!`, LONG)).toBe('undefined!')
      expect(await one.get('a')).toBe('undefined!')
      expect(await one.update('a', () => '', LONG)).toBe('')
      expect(await other.update('a', (value) => `<${value}>`, LONG)).toBe('<>')
      expect(await other.update('a', () => undefined, LONG)).toBeUndefined()
      expect(await one.get('a')).toBeUndefined()
      expect(await one.update('a', () => undefined, LONG)).toBeUndefined()
    })

    it('changes nothing if the change throws', async () => {
      const [state] = await openBoth()
      await state.set('a', 'x', LONG)
      const failing = () => {
        throw new Error('no')
      }
      await expect(state.update('a', failing, LONG)).rejects.toThrow('no')
      expect(await state.get('a')).toBe('x')
      expect(await state.update('a', (value) => `${value}y`, LONG)).toBe('xy')
    })

    it('loses no concurrent update', async () => {
      const both = await openBoth()
      const count = (state: SharedState) =>
        state.update('count', (value) => String(Number(value ?? 0) + 1), LONG)
      const results = await Promise.all(Array.from({ length: 100 }, (_, i) => count(both[i % 2]!)))
      expect(await both[0].get('count')).toBe('100')
      expect(new Set(results).size).toBe(100)
    })

    it('lets one of several concurrent updates create a value', async () => {
      const both = await openBoth()
      const created = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const own = `${index}`
          return (await both[index % 2]!.update('a', (value) => value ?? own, LONG)) === own
        }),
      )
      expect(created.filter(Boolean)).toHaveLength(1)
    })
  })

  describe('shared state contract: locks', () => {
    it('runs one task at a time, each with a higher fence', async () => {
      const both = await openBoth()
      let running = 0
      let most = 0
      const fences: number[] = []
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          both[index % 2]!.withLock('a', async ({ fence, signal }) => {
            running += 1
            most = Math.max(most, running)
            fences.push(fence)
            await delay(2)
            expect(signal.aborted).toBe(false)
            running -= 1
          }),
        ),
      )
      expect(most).toBe(1)
      expect(fences).toHaveLength(12)
      expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b))
    })

    it('returns the result, passes errors on, and frees the lock after both', async () => {
      const [one, other] = await openBoth()
      expect(await one.withLock('a', async () => 'result')).toBe('result')
      const failing = one.withLock('a', () => Promise.reject(new Error('no')))
      await expect(failing).rejects.toThrow('no')
      expect(await other.withLock('a', async () => 'next')).toBe('next')
    })

    it('keeps locks with different names apart', async () => {
      const [one, other] = await openBoth()
      const result = await one.withLock('a', () => other.withLock('b', async () => 'inner'))
      expect(result).toBe('inner')
    })
  })

  describe('shared state contract: messages', () => {
    it('sends messages in order to all subscribers of a channel', async () => {
      const [one, other] = await openBoth()
      const [first, second, elsewhere] = [vi.fn(), vi.fn(), vi.fn()]
      await one.subscribe('a', first)
      await other.subscribe('a', second)
      await other.subscribe('b', elsewhere)
      const texts = Array.from({ length: 50 }, (_, index) => `message ${index} ä`)
      for (const text of texts) await one.publish('a', text)
      await expect.poll(() => first.mock.calls.flat()).toEqual(texts)
      await expect.poll(() => second.mock.calls.flat()).toEqual(texts)
      expect(elsewhere).not.toHaveBeenCalled()
    })

    it('stops one subscription without the others', async () => {
      const [one, other] = await openBoth()
      const listener = vi.fn()
      const stop = await one.subscribe('a', listener)
      const kept = vi.fn()
      const stopKept = await one.subscribe('a', kept)
      stop()
      stop()
      await other.publish('a', '1')
      await expect.poll(() => kept.mock.calls.flat()).toEqual(['1'])
      stopKept()
      const again = vi.fn()
      await one.subscribe('a', again)
      await other.publish('a', '2')
      await expect.poll(() => again.mock.calls.flat()).toEqual(['2'])
      expect(kept.mock.calls.flat()).toEqual(['1'])
      expect(listener).not.toHaveBeenCalled()
    })

    it('does not mind messages that nobody waits for', async () => {
      const [state] = await openBoth()
      await state.publish('nobody', 'x')
    })
  })

  it('shared state contract: can be reached', async () => {
    const [state] = await openBoth()
    expect(await state.isAvailable()).toBe(true)
  })
}
