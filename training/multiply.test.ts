import { expect, it } from 'vitest'
import { multiply, transpose } from './multiply.ts'

it('multiplies each row with each row', () => {
  const columns = 3
  const a = Float32Array.from({ length: 8 * columns }, (_, at) => at % 7)
  const b = Float32Array.from({ length: 4 * columns }, (_, at) => (at % 5) - 2)
  const out = new Float32Array(8 * 4)
  multiply(a, b, out, columns)
  const dot = (i: number, j: number) =>
    [0, 1, 2].reduce((sum, k) => sum + a[i * columns + k]! * b[j * columns + k]!, 0)
  expect([...out]).toEqual(Array.from(out, (_, at) => dot(Math.floor(at / 4), at % 4)))
})

it('transposes a matrix', () => {
  const out = new Float32Array(6)
  transpose(Float32Array.of(1, 2, 3, 4, 5, 6), out, 3)
  expect([...out]).toEqual([1, 4, 2, 5, 3, 6])
})
