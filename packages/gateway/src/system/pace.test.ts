import { expect, it } from 'vitest'
import { createPace } from './pace.ts'

it('lets a burst through, and as many each second from then on', () => {
  let now = 0
  const pace = createPace(100, () => now)
  expect(pace.take(100)).toBe(0)
  expect(pace.take(10)).toBe(100)
  now = 100
  expect(pace.take(10)).toBe(100)
  now = 10_000
  expect(pace.take(100)).toBe(0)
})

it('waits a second at most', () => {
  expect(createPace(10, () => 0).take(1_000_000)).toBe(1_000)
})
