import { COMPARE_ROWS_MODULE } from './compare-rows-module.ts'

/** The number of rows in a group, which are compared in parallel. */
export const GROUP_ROWS = 16
export const PAGE_BYTES = 65_536

/**
 * Computes the dot products of a query with rows of bytes. Everything is in one memory, with the
 * query at its start as 16-bit numbers. A group begins with the scale of each row, followed by two
 * numbers of each row in turn:
 *
 * ```
 * | query      | …  | group of rows a to p                                          | next group
 *   q0 q1 q2 …        scale a … scale p   a0 a1 b0 b1 … p0 p1   a2 a3 b2 b3 … p2 p3 …
 * ```
 */
export interface RowComparer {
  /** Growing it replaces its buffer. */
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void }
  /**
   * Writes a 32-bit float for each row: its dot product × its scale × `scale`, or 0 if that is
   * negative. The other arguments are addresses. The length of a row is a multiple of four.
   */
  compare(groups: number, groupsEnd: number, results: number, queryEnd: number, scale: number): void
}

// Not part of Node's types, and not available in every browser.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}
let module: object | undefined

/** Uses WebAssembly, or JavaScript where WebAssembly is missing, too old or forbidden by a page's CSP. */
export function createRowComparer(): RowComparer {
  try {
    module ??= new WebAssembly.Module(fromBase64(COMPARE_ROWS_MODULE))
    return new WebAssembly.Instance(module).exports as RowComparer
  } catch {
    return plainRowComparer()
  }
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** Returns exactly the same numbers without WebAssembly. */
export function plainRowComparer(): RowComparer {
  const memory = {
    buffer: new ArrayBuffer(0),
    grow(pages: number) {
      const larger = new ArrayBuffer(memory.buffer.byteLength + pages * PAGE_BYTES)
      new Uint8Array(larger).set(new Uint8Array(memory.buffer))
      memory.buffer = larger
    },
  }
  return {
    memory,
    compare(groups, groupsEnd, results, queryEnd, scale) {
      const query = new Int16Array(memory.buffer, 0, queryEnd / 2)
      const bytes = new Int8Array(memory.buffer)
      const floats = new Float32Array(memory.buffer)
      const sums = new Int32Array(GROUP_ROWS)
      let result = results / 4
      for (let group = groups; group < groupsEnd; group += GROUP_ROWS * (4 + query.length)) {
        for (let row = 0; row < GROUP_ROWS; row += 4) {
          multiplyFourRows(query, bytes, group + 4 * GROUP_ROWS, row, sums)
        }
        for (let row = 0; row < GROUP_ROWS; row++) {
          const ofRow = Math.fround(Math.fround(sums[row]!) * floats[group / 4 + row]!)
          floats[result++] = Math.max(ofRow * Math.fround(scale), 0)
        }
      }
    },
  }
}

// Four rows together take half the time of one row after the other.
function multiplyFourRows(
  query: Int16Array,
  bytes: Int8Array,
  start: number,
  row: number,
  sums: Int32Array,
): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let at = start + 2 * row
  for (let i = 0; i < query.length; i += 2) {
    const one = query[i]!
    const two = query[i + 1]!
    a = (a + Math.imul(bytes[at]!, one) + Math.imul(bytes[at + 1]!, two)) | 0
    b = (b + Math.imul(bytes[at + 2]!, one) + Math.imul(bytes[at + 3]!, two)) | 0
    c = (c + Math.imul(bytes[at + 4]!, one) + Math.imul(bytes[at + 5]!, two)) | 0
    d = (d + Math.imul(bytes[at + 6]!, one) + Math.imul(bytes[at + 7]!, two)) | 0
    at += 2 * GROUP_ROWS
  }
  sums[row] = a
  sums[row + 1] = b
  sums[row + 2] = c
  sums[row + 3] = d
}
