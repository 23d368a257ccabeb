import { createHash, randomUUID } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

/** Vectors on disk by text. Several processes can use the same file. */
export interface VectorCache {
  /** Undefined if there is no vector of this text. */
  get(text: string): Float32Array | undefined
  /** Rejects if the file cannot be written. The vectors are then available in this process only. */
  add(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>
}

export interface VectorCacheOptions {
  readonly file: string
  /** The model. The vectors of any other model are discarded. */
  readonly id: string
  /**
   * How many vectors to keep. Beyond that, those that this process has not used are deleted.
   * @default 50_000
   */
  readonly maxKept?: number
}

const VERSION = 1
const KEY_BYTES = 16
const SCALE_BYTES = 4
const CHECKSUM_BYTES = 4
const MAX_BYTE = 127

/**
 * Opens a cache. Never fails because of a file that is missing, cut off or of another version: vectors
 * that cannot be read are computed again.
 *
 * The file starts with a line that names its version and model. Records follow: the hash of a text,
 * the scale of its vector, the vector as bytes, and a checksum. Appending a record does not disturb
 * other processes, and neither does replacing the file.
 */
export async function openVectorCache({
  file,
  id,
  maxKept = 50_000,
}: VectorCacheOptions): Promise<VectorCache> {
  const header = Buffer.from(`toolsearch vectors ${VERSION} ${JSON.stringify(id)}\n`)
  const records = new Map<string, Buffer>()
  const used = new Set<string>()
  let isIntact = await read()
  let writing = Promise.resolve()

  return {
    get(text) {
      const key = keyOf(text)
      const record = records.get(key.toString('hex'))
      if (record === undefined) return undefined
      used.add(key.toString('hex'))
      return vectorOf(record)
    },
    add(texts, vectors) {
      const added = texts.map((text, at) => recordOf(keyOf(text), vectors[at]!))
      for (const record of added) {
        const key = keyIn(record)
        records.set(key, record)
        used.add(key)
      }
      const written = writing.then(() => write(added))
      writing = written.catch(() => {})
      return written
    },
  }

  /** Returns whether everything in the file could be read, so that records can be appended. */
  async function read(): Promise<boolean> {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0))
    if (!bytes.subarray(0, header.length).equals(header)) return false
    let at = header.length
    while (at < bytes.length) {
      const length = at + 2 <= bytes.length ? bytes.readUInt16LE(at) : 0
      const record = bytes.subarray(at + 2, at + 2 + length)
      if (length === 0 || record.length < length || !isValid(record)) return false
      records.set(keyIn(record), record)
      at += 2 + length
    }
    return true
  }

  async function write(added: readonly Buffer[]): Promise<void> {
    if (isIntact && records.size <= maxKept) return appendFile(file, concat(added))
    if (records.size > maxKept) forgetUnused()
    await mkdir(dirname(file), { recursive: true })
    const draft = `${file}.${randomUUID()}.draft`
    try {
      await writeFile(draft, Buffer.concat([header, concat([...records.values()])]))
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
    isIntact = true
  }

  /** Makes room for as many vectors again, so that the file is not replaced for each new one. */
  function forgetUnused(): void {
    for (const isLastResort of [false, true]) {
      for (const key of records.keys()) {
        if (records.size <= maxKept / 2) return
        if (isLastResort || !used.has(key)) records.delete(key)
      }
    }
  }
}

function keyOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES)
}

function keyIn(record: Buffer): string {
  return record.subarray(0, KEY_BYTES).toString('hex')
}

function recordOf(key: Buffer, vector: Float32Array): Buffer {
  const numbers = KEY_BYTES + SCALE_BYTES
  const record = Buffer.alloc(numbers + vector.length + CHECKSUM_BYTES)
  key.copy(record)
  const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX_BYTE || 1
  record.writeFloatLE(scale, KEY_BYTES)
  vector.forEach((value, i) => {
    record.writeInt8(Math.round(value / scale), numbers + i)
  })
  record.writeUInt32LE(crc32(record.subarray(0, -CHECKSUM_BYTES)), record.length - CHECKSUM_BYTES)
  return record
}

function isValid(record: Buffer): boolean {
  if (record.length <= KEY_BYTES + SCALE_BYTES + CHECKSUM_BYTES) return false
  const checksum = record.readUInt32LE(record.length - CHECKSUM_BYTES)
  return crc32(record.subarray(0, -CHECKSUM_BYTES)) === checksum
}

function vectorOf(record: Buffer): Float32Array {
  const scale = record.readFloatLE(KEY_BYTES)
  const bytes = record.subarray(KEY_BYTES + SCALE_BYTES, -CHECKSUM_BYTES)
  return Float32Array.from(bytes, (_, i) => bytes.readInt8(i) * scale)
}

/** The records, each after its length. */
function concat(records: readonly Buffer[]): Buffer {
  return Buffer.concat(
    records.flatMap((record) => {
      const length = Buffer.alloc(2)
      length.writeUInt16LE(record.length)
      return [length, record]
    }),
  )
}
