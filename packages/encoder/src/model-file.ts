import { crc32 } from 'node:zlib'
import { EncoderModelError } from './encoder-model-error.ts'
import { layOut, type ModelLayout, type ModelShape } from './model-layout.ts'

export interface Model {
  readonly shape: ModelShape
  readonly layout: ModelLayout
  /** The numbers, as described by `layout`. A view of the file, not a copy. */
  readonly numbers: Uint8Array
  readonly vocabulary: readonly string[]
}

const MAGIC = 0x4e_45_53_54 // "TSEN", read as little-endian
const VERSION = 1
const HEADER_BYTES = 16

/**
 * Reads a weights file. All numbers are little-endian:
 *
 * ```text
 *  0  4 bytes  "TSEN"
 *  4  uint32   version, 1
 *  8  uint32   CRC-32 of everything that follows
 * 12  uint32   length of the shape in bytes
 * 16  shape, JSON
 *     numbers, see `layOut`
 *     vocabulary, the word pieces joined by "\n", UTF-8
 * ```
 *
 * @throws EncoderModelError if the bytes are not in this format
 */
export function readModel(bytes: Uint8Array): Model {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new EncoderModelError('it does not start with "TSEN".')
  }
  const version = view.getUint32(4, true)
  if (version !== VERSION) {
    throw new EncoderModelError(
      `format version ${version} is not supported, only version ${VERSION}. Install the same version of all toolsearch packages.`,
    )
  }
  if (crc32(bytes.subarray(12)) !== view.getUint32(8, true)) {
    throw new EncoderModelError(
      'the file is incomplete or damaged: its checksum does not match. Reinstall toolsearch-encoder.',
    )
  }
  const start = HEADER_BYTES + view.getUint32(12, true)
  const shape = JSON.parse(text(bytes.subarray(HEADER_BYTES, start))) as ModelShape
  const layout = layOut(shape)
  const numbers = bytes.subarray(start, start + layout.end)
  return {
    shape,
    layout,
    numbers,
    vocabulary: text(bytes.subarray(start + layout.end)).split('\n'),
  }
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
