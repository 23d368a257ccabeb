import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { SharedState } from '../state/shared-state.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { personOf } from './result-reader.ts'

/** A long text, and who may read it. */
interface ResultText {
  readonly text: string
  readonly reader: string
}

/** Where long results are kept until they have been read. */
export interface ResultTexts {
  put(id: string, text: ResultText): void | Promise<void>
  get(id: string): ResultText | undefined | Promise<ResultText | undefined>
}

/**
 * Keeps texts in memory. Drops the oldest of the person who has the most.
 *
 * @param capacity in characters
 */
export function memoryTexts(
  capacity: number,
  onDropped: (id: string) => void = () => {},
): ResultTexts {
  const stored = createBoundedMap<string, ResultText>(capacity, {
    sizeOf: ({ text }) => text.length,
    ownerOf: ({ reader }) => personOf(reader),
    onDropped: (_, id) => onDropped(id),
  })
  return { put: stored.set, get: stored.get }
}

const KEPT_MS = 3_600_000
/** Longer texts can be read through the replica that has the result only. */
const MAX_SHARED_CHARS = 20_000_000
const COMPRESSED_FROM = 1_000
const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Keeps texts where all replicas can read them, and in memory. What a replica drops is gone for all of them. */
export function sharedTexts(state: SharedState, capacity: number): ResultTexts {
  const drop = (id: string) => void state.delete(keyOf(id)).catch(() => {})
  const local = memoryTexts(capacity, drop)
  return {
    async put(id, { text, reader }) {
      await local.put(id, { text, reader })
      if (text.length > MAX_SHARED_CHARS) return
      const isCompressed = text.length >= COMPRESSED_FROM
      const data = isCompressed ? (await deflate(text)).toString('base64') : text
      const value = JSON.stringify({ reader, isCompressed, data })
      // Without the store, the replica that has the result can still read it.
      await state.set(keyOf(id), value, KEPT_MS).catch(() => {})
      // Others may have taken its place meanwhile.
      if (!(await local.get(id))) drop(id)
    },
    async get(id) {
      const known = await local.get(id)
      if (known) return known
      const value = await state.get(keyOf(id)).catch(() => undefined)
      if (value === undefined) return undefined
      const { reader, isCompressed, data } = JSON.parse(value) as StoredText
      const text = isCompressed ? String(await inflate(Buffer.from(data, 'base64'))) : data
      // The next part is probably wanted soon.
      await local.put(id, { text, reader })
      return { text, reader }
    },
  }
}

interface StoredText {
  readonly reader: string
  readonly isCompressed: boolean
  readonly data: string
}

function keyOf(id: string): string {
  return `result:${id}`
}
