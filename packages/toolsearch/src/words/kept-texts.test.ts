import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { stem } from './stem.ts'
import { wordsOf } from './words.ts'

// A cache may keep words, but not the texts that they are parts of.

it('wordsOf does not keep the texts it has read in memory', () => {
  // Each text takes 10 kB.
  const read = (i: number) => {
    for (const _ of wordsOf(`distinct${'x'.repeat(i % 50)}word${i} ${'filler '.repeat(1_400)}`));
  }
  expect(megabytesKept(read, 800)).toBeLessThan(3)
})

it('stem does not keep extremely long words in memory', () => {
  const read = (i: number) => stem(`${'ab'.repeat(5_000)}${'abcdefgh'[i % 8]}${'x'.repeat(i)}`)
  expect(megabytesKept(read, 2_000)).toBeLessThan(8)
})

/** How much the heap grows between the 100th and the last call. */
function megabytesKept(read: (i: number) => void, calls: number): number {
  setFlagsFromString('--expose_gc')
  const collectGarbage = runInNewContext('gc') as () => void
  for (let i = 0; i < 100; i++) read(i)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let i = 100; i < calls; i++) read(i)
  collectGarbage()
  return (process.memoryUsage().heapUsed - before) / 1e6
}
