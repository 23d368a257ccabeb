import type { StaticTable } from '../packages/semantics/src/table-format.ts'

const MAGIC = 0x42_54_53_54 // "TSTB" in little-endian
const VERSION = 1
const HEADER_BYTES = 24

/** The inverse of `readStaticTable`. */
export function writeStaticTable(table: StaticTable): Uint8Array {
  const id = new TextEncoder().encode(table.id)
  const vocabulary = new TextEncoder().encode(table.pieces.join('\n'))
  const count = table.pieces.length
  const scalesAt = HEADER_BYTES + id.length
  const valuesAt = scalesAt + 4 * count
  const bytes = new Uint8Array(valuesAt + table.values.length + vocabulary.length)
  const view = new DataView(bytes.buffer)
  const header = [MAGIC, VERSION, table.dimensions, count, id.length, vocabulary.length]
  header.forEach((value, i) => {
    view.setUint32(4 * i, value, true)
  })
  bytes.set(id, HEADER_BYTES)
  table.scales.forEach((scale, row) => {
    view.setFloat32(scalesAt + 4 * row, scale, true)
  })
  const values = table.values
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.length), valuesAt)
  bytes.set(vocabulary, valuesAt + values.length)
  return bytes
}
