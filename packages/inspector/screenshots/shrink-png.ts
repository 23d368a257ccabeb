import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = 8
const COLOUR_BYTES = 3

/**
 * Compresses a screenshot losslessly: without row filters, which only hurt flat areas and text.
 * Returns anything but 8-bit RGB unchanged, which is what browsers write.
 */
export function shrinkPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)]
  const header = chunks.find(({ type }) => type === 'IHDR')!.data
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  if (header[8] !== 8 || header[9] !== 2 || header[12] !== 0) return png
  const width = header.readUInt32BE(0) * COLOUR_BYTES
  const rows = withoutFilters(inflateSync(Buffer.concat(packed)), width)
  const shrunk = Buffer.concat([
    png.subarray(0, SIGNATURE),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return shrunk.length < png.length ? shrunk : png
}

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    yield { type, data: png.subarray(at + 8, at + 8 + length) }
    at += length + 12
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** Each row starts with its filter type, see https://www.w3.org/TR/png-3/#9Filters */
function withoutFilters(rows: Buffer, width: number): Buffer {
  const out = Buffer.alloc(rows.length)
  for (let start = 0; start < rows.length; start += width + 1) {
    const filter = rows[start]!
    for (let x = 1; x <= width; x++) {
      const at = start + x
      const left = x > COLOUR_BYTES ? out[at - COLOUR_BYTES]! : 0
      const up = start > 0 ? out[at - width - 1]! : 0
      const corner = start > 0 && x > COLOUR_BYTES ? out[at - width - 1 - COLOUR_BYTES]! : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
      out[at] = rows[at]! + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner
  const [byLeft, byUp, byCorner] = [left, up, corner].map((each) => Math.abs(sum - each))
  if (byLeft! <= byUp! && byLeft! <= byCorner!) return left
  return byUp! <= byCorner! ? up : corner
}
