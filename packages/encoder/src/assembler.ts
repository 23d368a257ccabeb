/** The bytes of WebAssembly instructions. */
export type Code = readonly number[]

export const I32 = 0x7f
export const F32 = 0x7d
export const V128 = 0x7b
const NO_RESULT = 0x40

export interface WasmFunction {
  readonly name: string
  /** The types of its parameters. It has no result. */
  readonly parameters: Code
  /** The types of its local variables, which follow the parameters. */
  readonly locals: Code
  readonly body: Code
}

/** Assembles a module that exports these functions and a memory of `pages` pages as `memory`. */
export function assembleModule(functions: readonly WasmFunction[], pages: number): Uint8Array {
  const types = functions.map(({ parameters }) => [0x60, ...sized(parameters), 0])
  const bodies = functions.map(({ locals, body }) => {
    const groups = locals.flatMap((type) => [1, type])
    return sized([...unsigned(locals.length), ...groups, ...body, END])
  })
  const exports = functions.map(({ name }, at) => [...named(name), 0, ...unsigned(at)])
  return Uint8Array.of(
    ...[0, ...ascii('asm'), 1, 0, 0, 0],
    ...section(1, types),
    ...section(
      3,
      functions.map((_, at) => unsigned(at)),
    ),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [[...named('memory'), 2, 0], ...exports]),
    ...section(10, bodies),
  )
}

const END = 0x0b

export const get = (local: number): Code => [0x20, local]
export const set = (local: number): Code => [0x21, local]
export const integer = (value: number): Code => [0x41, ...signed(value)]
export const float = (value: number): Code => [
  0x43,
  ...new Uint8Array(Float32Array.of(value).buffer),
]
/** Adds two expressions of type i32. */
const sum = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
export const advance = (local: number, by: Code): Code => [...sum(get(local), by), ...set(local)]

/** Repeats the body until `local` has reached `end`. Runs it at least once. */
export const repeatWhileBelow = (local: number, end: Code, body: Code): Code => [
  ...[0x03, NO_RESULT], // loop
  ...body,
  ...get(local),
  ...end,
  0x49, // i32.lt_u
  ...[0x0d, 0], // br_if, back to the start of the loop
  END,
]

const operation =
  (code: Code) =>
  (...operands: Code[]): Code => [...operands.flat(), ...code]
const simd = (code: number) => operation([0xfd, ...unsigned(code)])
const access =
  (code: Code, alignment: number) =>
  (address: Code, offset = 0): Code => [...address, ...code, alignment, ...unsigned(offset)]
const write =
  (code: Code, alignment: number) =>
  (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...code,
    alignment,
    ...unsigned(offset),
  ]

/** 32-bit floats. */
export const f32: {
  readonly load: (address: Code, offset?: number) => Code
  readonly store: (address: Code, value: Code, offset?: number) => Code
  readonly add: (...operands: Code[]) => Code
  readonly divide: (...operands: Code[]) => Code
  readonly max: (...operands: Code[]) => Code
} = {
  load: access([0x2a], 2),
  store: write([0x38], 2),
  add: operation([0x92]),
  divide: operation([0x95]),
  max: operation([0x97]),
}

/** Vectors of 16 bytes: four 32-bit numbers, or eight 16-bit numbers. */
export const vector: {
  readonly load: (address: Code, offset?: number) => Code
  readonly store: (address: Code, value: Code, offset?: number) => Code
  /** Eight bytes as 16-bit numbers. */
  readonly loadBytes: (address: Code, offset?: number) => Code
  /** The same four bytes four times. */
  readonly loadSplat: (address: Code, offset?: number) => Code
  readonly zeros: Code
  /** The same float four times. */
  readonly splat: (...operands: Code[]) => Code
  /** Products of 16-bit numbers, added in pairs. */
  readonly dotInt16: (...operands: Code[]) => Code
  readonly addInt32: (...operands: Code[]) => Code
  readonly shiftLeft: (...operands: Code[]) => Code
  readonly toFloat: (...operands: Code[]) => Code
  readonly toInt32: (...operands: Code[]) => Code
  readonly add: (...operands: Code[]) => Code
  readonly subtract: (...operands: Code[]) => Code
  readonly multiply: (...operands: Code[]) => Code
  readonly max: (...operands: Code[]) => Code
  readonly floor: (...operands: Code[]) => Code
  readonly lane: (lane: number, operand: Code) => Code
} = {
  load: access([0xfd, 0], 0),
  store: write([0xfd, 0x0b], 0),
  loadBytes: access([0xfd, 1], 0),
  loadSplat: access([0xfd, 9], 0),
  zeros: [0xfd, 0x0c, ...Array<number>(16).fill(0)],
  splat: simd(0x13),
  dotInt16: simd(0xba),
  addInt32: simd(0xae),
  shiftLeft: simd(0xab),
  toFloat: simd(0xfa),
  toInt32: simd(0xf8),
  add: simd(0xe4),
  subtract: simd(0xe5),
  multiply: simd(0xe6),
  max: simd(0xe9),
  floor: simd(0x68),
  lane: (lane, operand) => [...operand, 0xfd, 0x1f, lane],
}

function section(id: number, entries: readonly Code[]): Code {
  return [id, ...sized([...unsigned(entries.length), ...entries.flat()])]
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content]
}

function named(name: string): Code {
  return sized(ascii(name))
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}

function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
}
