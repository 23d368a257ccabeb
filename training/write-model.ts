import { crc32 } from 'node:zlib'
import type { Model } from '../packages/encoder/src/model-file.ts'

const MAGIC = 0x4e_45_53_54 // "TSEN" in little-endian
const VERSION = 1
const HEADER_BYTES = 16

/** The inverse of `readModel`. */
export function writeModel({ shape, numbers, vocabulary }: Omit<Model, 'layout'>): Uint8Array {
  const encoder = new TextEncoder()
  const header = new Uint8Array(HEADER_BYTES)
  const json = encoder.encode(JSON.stringify(shape))
  const file = Buffer.concat([header, json, numbers, encoder.encode(vocabulary.join('\n'))])
  file.writeUInt32LE(MAGIC, 0)
  file.writeUInt32LE(VERSION, 4)
  file.writeUInt32LE(json.length, 12)
  file.writeUInt32LE(crc32(file.subarray(12)), 8)
  return file
}
