import { StaticTableError } from './static-table-error.ts'

/** One int8 vector per word piece. Row `i` is `values[i * dimensions …] * scales[i]`. */
export interface StaticTable {
  /** The table and its revision. Vectors of different tables must never be compared. */
  readonly id: string
  readonly dimensions: number
  readonly pieces: readonly string[]
  readonly scales: Float32Array
  readonly values: Int8Array
}

const MAGIC = 0x42_54_53_54 // "TSTB", read as little-endian
const VERSION = 1
const HEADER_BYTES = 24

/**
 * Reads a table file. All numbers are little-endian:
 *
 * ```text
 *  0  4 bytes  "TSTB"
 *  4  uint32   version, 1
 *  8  uint32   dimensions
 * 12  uint32   number of pieces
 * 16  uint32   length of the id in bytes
 * 20  uint32   length of the vocabulary in bytes
 * 24  id, UTF-8
 *     scales,     count × float32
 *     rows,       count × dimensions × int8
 *     vocabulary, the pieces joined by "\n", UTF-8
 * ```
 *
 * The rows are a view of `bytes`, not a copy.
 * @throws StaticTableError if the bytes are not in this format
 */
export function readStaticTable(bytes: Uint8Array): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new StaticTableError('it does not start with "TSTB", so this is not a table.')
  }
  const version = view.getUint32(4, true)
  if (version !== VERSION) {
    throw new StaticTableError(
      `format version ${version} is not supported, only version ${VERSION}.`,
    )
  }
  const dimensions = view.getUint32(8, true)
  const count = view.getUint32(12, true)
  const idBytes = view.getUint32(16, true)
  const vocabularyBytes = view.getUint32(20, true)
  const scalesAt = HEADER_BYTES + idBytes
  const valuesAt = scalesAt + 4 * count
  const vocabularyAt = valuesAt + count * dimensions
  const end = vocabularyAt + vocabularyBytes
  if (end !== bytes.length) {
    throw new StaticTableError(
      `the header specifies ${end} bytes, but the file has ${bytes.length}.`,
    )
  }
  const pieces = decode(bytes.subarray(vocabularyAt)).split('\n')
  if (pieces.length !== count || dimensions === 0) {
    throw new StaticTableError(
      `the header specifies ${count} rows of ${dimensions} dimensions, but there are ${pieces.length} word pieces.`,
    )
  }
  const scales = new Float32Array(count)
  for (let row = 0; row < count; row++) scales[row] = view.getFloat32(scalesAt + 4 * row, true)
  return {
    id: decode(bytes.subarray(HEADER_BYTES, scalesAt)),
    dimensions,
    pieces,
    scales,
    values: new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, count * dimensions),
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
