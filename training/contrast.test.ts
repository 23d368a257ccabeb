import { expect, it } from 'vitest'
import { type ContrastOptions, contrast, type RowPair } from './contrast.ts'
import { createRandom } from './random.ts'
import { type Student, sumRows } from './train.ts'

const DIMENSIONS = 8
const TOOLS = 8
const OPTIONS: ContrastOptions = {
  steps: 60,
  batch: 8,
  fromOneSource: 0.2,
  temperature: 0.1,
  reverse: 0.3,
  dropout: 0,
  rate: 0.05,
  keep: 0,
  seed: 1,
}

/** Row `n` is a request, and row `TOOLS + n` the tool for it. */
const PAIRS: readonly RowPair[] = Array.from({ length: TOOLS }, (_, n) => ({
  source: n < 4 ? 'a' : 'b',
  requestId: n,
  toolId: TOOLS + n,
  request: [n],
  tool: [TOOLS + n],
}))

function randomStudent(): Student {
  const random = createRandom(1)
  const rows = Float32Array.from({ length: 2 * TOOLS * DIMENSIONS }, () => random() - 0.5)
  return { dimensions: DIMENSIONS, rows, moved: new Float32Array() }
}

function similarity(student: Student, left: number, right: number): number {
  const [a, b] = [new Float32Array(DIMENSIONS), new Float32Array(DIMENSIONS)]
  sumRows(student, [left], a)
  sumRows(student, [right], b)
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0)
}

function closestTool(student: Student, request: number): number {
  const similarities = PAIRS.map((_, n) => similarity(student, request, TOOLS + n))
  return similarities.indexOf(Math.max(...similarities))
}

it('moves each request closest to its own tool', () => {
  const student = randomStudent()
  const before = PAIRS.filter((_, n) => closestTool(student, n) === n)
  expect(before.length).toBeLessThan(TOOLS / 2)
  contrast(student, PAIRS, OPTIONS)
  expect(PAIRS.map((_, n) => closestTool(student, n))).toEqual(PAIRS.map((_, n) => n))
})

it('builds the same table again', () => {
  const [first, second] = [randomStudent(), randomStudent()]
  contrast(first, PAIRS, { ...OPTIONS, dropout: 0.1 })
  contrast(second, PAIRS, { ...OPTIONS, dropout: 0.1 })
  expect(first.rows).toEqual(second.rows)
})

it('keeps the given share of the original table', () => {
  const [moved, blended] = [randomStudent(), randomStudent()]
  contrast(moved, PAIRS, OPTIONS)
  contrast(blended, PAIRS, { ...OPTIONS, keep: 0.3 })
  randomStudent().rows.forEach((value, at) => {
    expect(blended.rows[at]).toBeCloseTo(0.7 * moved.rows[at]! + 0.3 * value, 5)
  })
})

it('does not push a request away from another text of its own tool', () => {
  const [apart, together] = [similarPairs(), similarPairs()]
  contrast(apart, PAIRS, OPTIONS)
  const sameTool = PAIRS.map((pair, n) => (n === 1 ? { ...pair, toolId: PAIRS[0]!.toolId } : pair))
  contrast(together, sameTool, OPTIONS)
  expect(similarity(apart, 0, TOOLS + 1)).toBeLessThan(0.5)
  expect(similarity(together, 0, TOOLS + 1)).toBeGreaterThan(0.7)

  /** The requests and tools of the first two pairs are close to each other. */
  function similarPairs(): Student {
    const student = randomStudent()
    for (const row of [0, 1, TOOLS, TOOLS + 1]) student.rows[row * DIMENSIONS]! += 2
    return student
  }
})
