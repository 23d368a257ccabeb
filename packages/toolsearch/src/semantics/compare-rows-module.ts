const [I32, F32, V128, NO_RESULT] = [0x7f, 0x7d, 0x7b, 0x40]

// The locals of `compare`: its five parameters, then its local variables.
const [GROUPS, GROUPS_END, RESULTS, QUERY_END, SCALE, QUERY, ROW_SCALES, PAIR] = [
  0, 1, 2, 3, 4, 5, 6, 7,
]
const SUMS = [8, 9, 10, 11]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const constant = (value: number) => [0x41, ...number(value)]
const advance = (local: number, by: number) => [...get(local), ...constant(by), 0x6a, ...set(local)]
const repeatWhileBelow = (local: number, end: number, body: readonly number[]) => [
  ...[0x03, NO_RESULT], // loop
  ...body,
  ...get(local),
  ...get(end),
  0x49, // i32.lt_u
  ...[0x0d, 0], // br_if, back to the start of the loop
  0x0b, // end
]

const simd = (operation: number) => [0xfd, ...number(operation)]
const at = (offset: number) => [0, ...number(offset)]
const LOAD = simd(0x00) // v128.load
const LOAD_EIGHT_BYTES_AS_INT16 = simd(0x01) // v128.load8x8_s
const LOAD_FOUR_BYTES_FOUR_TIMES = simd(0x09) // v128.load32_splat
const STORE = simd(0x0b) // v128.store
const ZEROS = [...simd(0x0c), ...Array<number>(16).fill(0)] // v128.const
const FOUR_TIMES = simd(0x13) // f32x4.splat
const ADD = simd(0xae) // i32x4.add
const MULTIPLY_INT16_AND_ADD_PAIRS = simd(0xba) // i32x4.dot_i16x8_s
const MULTIPLY = simd(0xe6) // f32x4.mul
const LARGER = simd(0xe9) // f32x4.max
const TO_FLOAT = simd(0xfa) // f32x4.convert_i32x4_s

/**
 * Assembles a WebAssembly module that implements `RowComparer`. Assembling it at run time needs no
 * build step.
 *
 * Each vector of `SUMS` accumulates four rows. Their numbers are interleaved so that one instruction
 * multiplies a pair of the query with the same pair of all four rows, and the sums never have to be
 * added across lanes.
 */
export function compareRowsModule(): Uint8Array {
  // Unrolling the loop once saves a tenth of the time.
  const twoPairs = [0, 1].flatMap((pair) => [
    ...[...get(QUERY), ...LOAD_FOUR_BYTES_FOUR_TIMES, ...at(4 * pair), ...set(PAIR)],
    ...SUMS.flatMap((sum, four) => [
      ...[...get(GROUPS), ...LOAD_EIGHT_BYTES_AS_INT16, ...at(32 * pair + 8 * four)],
      ...[...get(PAIR), ...MULTIPLY_INT16_AND_ADD_PAIRS],
      ...[...get(sum), ...ADD, ...set(sum)],
    ]),
  ])
  const group = [
    ...[...get(GROUPS), ...set(ROW_SCALES), ...advance(GROUPS, 64)],
    ...[...constant(0), ...set(QUERY)],
    ...SUMS.flatMap((sum) => [...ZEROS, ...set(sum)]),
    ...repeatWhileBelow(QUERY, QUERY_END, [
      ...twoPairs,
      ...advance(GROUPS, 64),
      ...advance(QUERY, 8),
    ]),
    ...SUMS.flatMap((sum, four) => [
      ...get(RESULTS),
      ...[...get(sum), ...TO_FLOAT],
      ...[...get(ROW_SCALES), ...LOAD, ...at(16 * four), ...MULTIPLY],
      ...[...get(SCALE), ...FOUR_TIMES, ...MULTIPLY],
      ...[...ZEROS, ...LARGER],
      ...[...STORE, ...at(16 * four)],
    ]),
    ...advance(RESULTS, 64),
  ]
  const compare = [
    ...[2, 2, I32, 1 + SUMS.length, V128], // two groups of local variables
    ...repeatWhileBelow(GROUPS, GROUPS_END, group),
    0x0b, // end
  ]
  return Uint8Array.of(
    ...[0, ...ascii('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, F32, 0]), // types: one function type without a result
    ...section(3, [1, 0]), // functions: one of that type
    ...section(5, [1, 0, 1]), // memories: one with one page
    ...section(7, [2, ...named('memory'), 2, 0, ...named('compare'), 0, 0]), // exports
    ...section(10, [1, ...sized(compare)]), // code
  )
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...sized(content)]
}

function sized(content: readonly number[]): number[] {
  return [...number(content.length), ...content]
}

function named(name: string): number[] {
  return [name.length, ...ascii(name)]
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}

/** LEB128 in two bytes, for numbers from 0 to 8,191, signed or unsigned. */
function number(value: number): number[] {
  return [(value & 0x7f) | 0x80, value >> 7]
}
