import { GRAPH, integers, MODEL, readFields, readNode, TENSOR, text } from './quantise-onnx.ts'

/** A weight of a model: a list of numbers, or a matrix, row by row. */
export interface Weight {
  readonly shape: readonly number[]
  readonly values: Float32Array
}

export interface Weights {
  /** @throws an error if there is no weight with this name */
  named(name: string): Weight
  /** The matrices that something is multiplied with, in the order of the graph. */
  readonly matrices: readonly Weight[]
}

const FLOAT = 1

/** Reads the weights of an ONNX model. */
export function readWeights(model: Uint8Array): Weights {
  const graph = readFields(model).find(({ number }) => number === MODEL.graph)!
  const fields = readFields(graph.body)
  const weights = new Map<string, Weight>()
  for (const field of fields) {
    if (field.number === GRAPH.initializer) readWeight(field.body, weights)
  }
  return {
    named(name) {
      const weight = weights.get(name)
      if (weight === undefined) throw new Error(`The model has no weight named ${name}.`)
      return weight
    },
    matrices: fields
      .filter(({ number }) => number === GRAPH.node)
      .map(({ body }) => readNode(body))
      .filter(({ opType }) => opType === 'MatMul')
      .flatMap(({ inputs }) => weights.get(inputs[1]!) ?? []),
  }
}

function readWeight(body: Uint8Array, weights: Map<string, Weight>): void {
  const fields = readFields(body)
  const raw = fields.find(({ number }) => number === TENSOR.rawData)
  const type = fields.find(({ number }) => number === TENSOR.dataType)?.value
  const name = fields.find(({ number }) => number === TENSOR.name)
  if (raw === undefined || name === undefined || type !== FLOAT) return
  weights.set(text(name.body), {
    shape: fields.filter(({ number }) => number === TENSOR.dims).flatMap(integers),
    values: new Float32Array(new Uint8Array(raw.body).buffer),
  })
}
