import { expect, it } from 'vitest'
import { createSlowGuessing } from './slow-guessing.ts'

it('delays refusals after some attempts, up to a limit, and forgets them after a minute', () => {
  let now = 0
  const guessing = createSlowGuessing(() => now)
  const delays = Array.from({ length: 50 }, (_, at) => guessing.delayFor('10.0.0.1', `key ${at}`))
  expect(delays.slice(0, 10)).toEqual(Array(10).fill(0))
  expect(delays[10]).toBeGreaterThan(0)
  expect(delays.at(-1)).toBe(2_000)
  expect(guessing.delayFor('10.0.0.2', 'other')).toBe(0)
  now = 60_001
  expect(guessing.delayFor('10.0.0.1', 'key')).toBe(0)
})

it('delays one credential that comes from many addresses', () => {
  const guessing = createSlowGuessing(() => 0)
  const delays = Array.from({ length: 20 }, (_, at) => guessing.delayFor(`10.0.0.${at}`, 'key'))
  expect(delays.at(-1)).toBeGreaterThan(0)
})

it('lets only some answers to an address wait at the same time', () => {
  let now = 0
  const guessing = createSlowGuessing(() => now)
  const guess = () => guessing.delayFor('10.0.0.1', `key ${Math.random()}`)
  const delays = Array.from({ length: 100 }, guess)
  expect(delays.filter((delay) => delay === 'too-many')).toHaveLength(40)
  expect(guessing.delayFor('10.0.0.2', 'other')).toBe(0)
  now = 2_000
  expect(guess()).toBe(2_000)
})
