import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { layOut, type ModelShape } from '../packages/encoder/src/model-layout.ts'
import { GROUP_HEADER, GROUP_OUTPUTS } from '../packages/encoder/src/multiply-function.ts'
import { fetchModel } from './fetch-model.ts'
import { readWeights, type Weight } from './read-weights.ts'
import { writeModel } from './write-model.ts'

// Writes the weights of toolsearch-encoder: gte-small with one byte per number.
const { values: options } = parseArgs({
  options: {
    cache: { type: 'string', default: join(tmpdir(), 'toolsearch-distill') },
    out: {
      type: 'string',
      default: join(import.meta.dirname, '../packages/encoder/data/model.bin'),
    },
  },
})
/** Longer texts are cut off. The description of a tool rarely has more than 100 word pieces. */
const POSITIONS = 130

const { onnx, vocabulary } = fetchModel(options.cache)
const weights = readWeights(onnx)
const pieces = weights.named('embeddings.word_embeddings.weight')
const [, width] = pieces.shape as [number, number]
const shape: ModelShape = {
  id: 'gte-small int8 1',
  layers: weights.matrices.length / 6,
  width,
  inner: 4 * width,
  vocabulary: vocabulary.length,
  positions: POSITIONS,
}
const layout = layOut(shape)
const numbers = new Uint8Array(layout.end)
const floats = new Float32Array(numbers.buffer)
const int8 = new Int8Array(numbers.buffer)

for (const [at, layer] of layout.layers.entries()) {
  const name = `encoder.layer.${at}`
  const [query, key, value, output, widen, narrow] = weights.matrices.slice(6 * at, 6 * at + 6)
  writeMatrix(layer.attention.start, [
    [query!, `${name}.attention.self.query.bias`],
    [key!, `${name}.attention.self.key.bias`],
    [value!, `${name}.attention.self.value.bias`],
  ])
  writeMatrix(layer.attentionOutput.start, [[output!, `${name}.attention.output.dense.bias`]])
  writeNorm(layer.attentionNorm.start, `${name}.attention.output.LayerNorm`)
  writeMatrix(layer.widen.start, [[widen!, `${name}.intermediate.dense.bias`]])
  writeMatrix(layer.narrow.start, [[narrow!, `${name}.output.dense.bias`]])
  writeNorm(layer.outputNorm.start, `${name}.output.LayerNorm`)
}
writeNorm(layout.embeddingNorm.start, 'embeddings.LayerNorm')
writePositions()
writePieces()
const file = writeModel({ shape, numbers, vocabulary })
mkdirSync(dirname(options.out), { recursive: true })
writeFileSync(options.out, file)
console.log(`Wrote ${options.out}: ${shape.id}, ${shape.layers} layers, ${file.length} bytes.`)

/** Writes matrices side by side, with one scale per output. */
function writeMatrix(start: number, parts: readonly (readonly [Weight, string])[]): void {
  let group = start
  for (const [matrix, bias] of parts) {
    const [inputs, outputs] = matrix.shape as [number, number]
    const biases = weights.named(bias).values
    for (let first = 0; first < outputs; first += GROUP_OUTPUTS) {
      for (let row = 0; row < GROUP_OUTPUTS; row++) {
        const output = first + row
        const column = Float32Array.from(
          { length: inputs },
          (_, input) => matrix.values[input * outputs + output]!,
        )
        const scale = largest(column) / 127
        floats[group / 4 + row] = scale
        floats[group / 4 + GROUP_OUTPUTS + row] = biases[output]!
        for (let input = 0; input < inputs; input++) {
          const at = group + GROUP_HEADER + (input >> 1) * 2 * GROUP_OUTPUTS + 2 * row + (input & 1)
          int8[at] = Math.round(column[input]! / scale)
        }
      }
      group += GROUP_HEADER + GROUP_OUTPUTS * inputs
    }
  }
}

function writeNorm(start: number, name: string): void {
  floats.set(weights.named(`${name}.weight`).values, start / 4)
  floats.set(weights.named(`${name}.bias`).values, start / 4 + width)
}

/** Every text is of the first type, so the vector of that type is part of each position's. */
function writePositions(): void {
  const positions = weights.named('embeddings.position_embeddings.weight').values
  const type = weights.named('embeddings.token_type_embeddings.weight').values
  for (let at = 0; at < POSITIONS * width; at++) {
    floats[layout.positions / 4 + at] = positions[at]! + type[at % width]!
  }
}

function writePieces(): void {
  for (let piece = 0; piece < vocabulary.length; piece++) {
    const row = pieces.values.subarray(piece * width, (piece + 1) * width)
    const scale = largest(row) / 127 || 1
    floats[layout.pieceScales / 4 + piece] = scale
    for (let i = 0; i < width; i++) {
      int8[layout.pieces + piece * width + i] = Math.round(row[i]! / scale)
    }
  }
}

function largest(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
