import { expect, it } from 'vitest'
import { createExpirySweep } from './expiry-sweep.ts'

it('deletes what has expired, also behind entries that last', () => {
  let now = 0
  const map = new Map<string, { expiresAt: number }>()
  const sweep = createExpirySweep(map, () => now)
  const add = (key: string, expiresAt: number) => {
    sweep()
    map.set(key, { expiresAt })
  }
  for (let at = 0; at < 50; at++) add(`lasts ${at}`, 1_000)
  for (let at = 0; at < 50; at++) add(`ends ${at}`, 10)
  now = 20
  for (let at = 0; at < 30; at++) add(`new ${at}`, 1_000)
  expect([...map.keys()].filter((key) => key.startsWith('ends'))).toEqual([])
  expect(map.size).toBe(80)
})
