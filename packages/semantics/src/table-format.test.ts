import { describe, expect, it } from 'vitest'
import { writeStaticTable } from '../../../training/write-static-table.ts'
import { StaticTableError } from './static-table-error.ts'
import { readStaticTable, type StaticTable } from './table-format.ts'

const TABLE: StaticTable = {
  id: 'test-é',
  dimensions: 3,
  pieces: ['a', '##b', '東'],
  scales: Float32Array.of(0.5, 1, 2),
  values: Int8Array.of(1, 2, 3, -4, -5, -6, 127, -127, 0),
}

describe('table format', () => {
  it('reads the table it wrote', () => {
    expect(readStaticTable(writeStaticTable(TABLE))).toEqual(TABLE)
  })

  it('reads bytes at any offset in their buffer', () => {
    const bytes = writeStaticTable(TABLE)
    const shifted = new Uint8Array(bytes.length + 5).subarray(3, 3 + bytes.length)
    shifted.set(bytes)
    expect(readStaticTable(shifted)).toEqual(TABLE)
  })

  it.each([
    ['an empty file', new Uint8Array()],
    ['a different format', new TextEncoder().encode('{"not": "a table", "at": "all"}')],
    ['a truncated table', writeStaticTable(TABLE).subarray(0, -1)],
    ['a table with extra bytes at the end', Uint8Array.of(...writeStaticTable(TABLE), 0)],
    ['a later version', patched(4, 2)],
    ['a wrong number of rows', patched(12, 2)],
    ['no dimensions', patched(8, 0)],
    ['absurd sizes', patched(12, 0xff_ff_ff_ff)],
  ])('rejects %s', (_, bytes) => {
    expect(() => readStaticTable(bytes)).toThrow(StaticTableError)
    expect(() => readStaticTable(bytes)).toThrow(/^Cannot read the embedding table: /)
  })
})

function patched(at: number, value: number): Uint8Array {
  const bytes = writeStaticTable(TABLE)
  new DataView(bytes.buffer).setUint32(at, value, true)
  return bytes
}
