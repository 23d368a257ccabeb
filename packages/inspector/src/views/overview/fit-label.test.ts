import { expect, it } from 'vitest'
import { fitLabel } from './fit-label.ts'

it.each([
  ['read_file', 70, 20, 1],
  ['read_file', 42, 40, 2],
  ['list_merge_requests', 60, 60, 3],
  ['send', 32, 20, 1],
  ['list_merge_requests', 70, 20, 1],
  ['acknowledge', 60, 60, 1],
  ['acknowledge', 40, 60, undefined],
  ['read_file', 20, 60, undefined],
  ['read_file', 40, 18, undefined],
  ['read_file', 200, 12, undefined],
] as const)('fits %s into %d × %d pixels with %s lines', (name, width, height, lines) => {
  expect(fitLabel(name, { width, height })).toBe(lines)
})
