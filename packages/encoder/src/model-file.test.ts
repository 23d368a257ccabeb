import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeModel } from '../../../training/write-model.ts'
import { readModel } from './model-file.ts'
import { layOut } from './model-layout.ts'

const FILE = new URL('../data/model.bin', import.meta.url)
const shape = { id: 'tiny', layers: 1, width: 32, inner: 128, vocabulary: 2, positions: 4 }
const numbers = Uint8Array.from({ length: layOut(shape).end }, (_, at) => at % 251)
const tiny = writeModel({ shape, numbers, vocabulary: ['[CLS]', '[SEP]'] })

/** A copy of the tiny file with one byte changed. */
function changed(at: number): Uint8Array {
  const copy = Uint8Array.from(tiny)
  copy[at]! ^= 1
  return copy
}

describe('readModel', () => {
  it('reads what writeModel wrote', () => {
    const model = readModel(tiny)
    expect(model).toMatchObject({ shape, vocabulary: ['[CLS]', '[SEP]'] })
    expect(Buffer.from(model.numbers).equals(numbers)).toBe(true)
  })

  it('reads the weights of this package', () => {
    const { shape, vocabulary } = readModel(readFileSync(FILE))
    expect(vocabulary).toHaveLength(shape.vocabulary)
    expect(vocabulary).toContain('[CLS]')
  })

  it('has weights of at most 35 MB', () => {
    expect(statSync(FILE).size).toBeLessThan(35_000_000)
  })

  it.each([
    ['empty', new Uint8Array(), /does not start with "TSEN"/],
    ['another kind of file', Buffer.from('PK\u0003\u0004 not a model at all'), /does not start/],
    ['of another version', changed(4), /version 0 is not supported/],
    ['cut off', tiny.subarray(0, tiny.length - 1), /incomplete or damaged/],
    ['cut off after the header', tiny.subarray(0, 16), /incomplete or damaged/],
    ['damaged in the middle', changed(tiny.length >> 1), /incomplete or damaged/],
  ])('rejects a file that is %s', (_, bytes, message) => {
    expect(() => readModel(bytes)).toThrow(message)
    expect(() => readModel(bytes)).toThrow(expect.objectContaining({ code: 'bad_encoder_model' }))
  })
})
