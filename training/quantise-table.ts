import type { StaticTable } from '../packages/semantics/src/table-format.ts'
import type { Student } from './train.ts'

/** Whether a piece of BERT's vocabulary gets a row. Special tokens and punctuation carry no meaning. */
export function isMeaningful(piece: string): boolean {
  return !piece.startsWith('[') && /[\p{L}\p{N}]/u.test(piece)
}

/** Converts the rows to int8, each with its own scale, and leaves out pieces without meaning. */
export function quantiseTable(
  student: Student,
  vocabulary: readonly string[],
  id: string,
): StaticTable {
  const { dimensions } = student
  const kept = vocabulary.flatMap((piece, row) => (isMeaningful(piece) ? [{ piece, row }] : []))
  const scales = new Float32Array(kept.length)
  const values = new Int8Array(kept.length * dimensions)
  kept.forEach(({ row }, to) => {
    const from = student.rows.subarray(row * dimensions, (row + 1) * dimensions)
    const largest = from.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    scales[to] = largest / 127
    from.forEach((value, k) => {
      values[to * dimensions + k] = largest === 0 ? 0 : Math.round((value / largest) * 127)
    })
  })
  return { id, dimensions, pieces: kept.map(({ piece }) => piece), scales, values }
}
