import {
  advance,
  type Code,
  get,
  I32,
  integer,
  repeatWhileBelow,
  set,
  V128,
  vector,
  type WasmFunction,
} from './assembler.ts'

/** How many word pieces `multiply` handles at once, at most: more would not fit the registers. */
export const MAX_TOGETHER = 4
/** The number of outputs whose weights are stored together. */
export const GROUP_OUTPUTS = 8
/** A group starts with the scale and the bias of each output. */
export const GROUP_HEADER: number = 8 * GROUP_OUTPUTS

const [INPUTS, INPUTS_END, WEIGHTS, WEIGHTS_END, RESULTS, RESULT_BYTES, SCALES] = [
  0, 1, 2, 3, 4, 5, 6,
]
const [INPUT, HEADER, RESULT, FIRST_WEIGHTS, SECOND_WEIGHTS, PAIR, SUMS] = [7, 8, 9, 10, 11, 12, 13]

/**
 * Multiplies the vectors of `count` word pieces by a matrix and adds a bias. Inputs are 16-bit
 * numbers, weights are bytes, results are floats.
 *
 * Two numbers of each word piece take turns in the inputs, and two numbers of each output in the
 * weights, so that one instruction multiplies a pair of a word piece with the pairs of four outputs:
 *
 * ```
 * inputs   a0 a1 b0 b1 …   a2 a3 b2 b3 …
 * weights  scale 0 … scale 7   bias 0 … bias 7   p0 p1 q0 q1 … w0 w1   p2 p3 q2 q3 … w2 w3 …
 * ```
 */
export function multiplyFunction(count: number): WasmFunction {
  const pairBytes = 4 * count
  const pieces = Array.from({ length: count }, (_, piece) => piece)
  const sums = (piece: number) => [SUMS + 2 * piece, SUMS + 2 * piece + 1] as const
  const addProduct = (to: number, weights: number): Code => [
    ...vector.addInt32(get(to), vector.dotInt16(get(weights), get(PAIR))),
    ...set(to),
  ]
  const multiplyPair = (step: number): Code => [
    ...[...vector.loadBytes(get(WEIGHTS), 16 * step), ...set(FIRST_WEIGHTS)],
    ...[...vector.loadBytes(get(WEIGHTS), 16 * step + 8), ...set(SECOND_WEIGHTS)],
    ...pieces.flatMap((piece) => [
      ...[...vector.loadSplat(get(INPUT), pairBytes * step + 4 * piece), ...set(PAIR)],
      ...addProduct(sums(piece)[0], FIRST_WEIGHTS),
      ...addProduct(sums(piece)[1], SECOND_WEIGHTS),
    ]),
  ]
  const writeResults = pieces.flatMap((piece) => [
    ...sums(piece).flatMap((sum, half) => {
      const scale = vector.multiply(
        vector.load(get(HEADER), 16 * half),
        vector.loadSplat(get(SCALES), 4 * piece),
      )
      const bias = vector.load(get(HEADER), 4 * GROUP_OUTPUTS + 16 * half)
      const scaled = vector.multiply(vector.toFloat(get(sum)), scale)
      return vector.store(get(RESULT), vector.add(scaled, bias), 16 * half)
    }),
    ...advance(RESULT, get(RESULT_BYTES)),
  ])
  const group = [
    ...[...get(WEIGHTS), ...set(HEADER)],
    ...advance(WEIGHTS, integer(GROUP_HEADER)),
    ...[...get(INPUTS), ...set(INPUT)],
    ...pieces.flatMap((piece) => sums(piece).flatMap((sum) => [...vector.zeros, ...set(sum)])),
    ...repeatWhileBelow(INPUT, get(INPUTS_END), [
      ...[0, 1].flatMap(multiplyPair),
      ...advance(WEIGHTS, integer(32)),
      ...advance(INPUT, integer(2 * pairBytes)),
    ]),
    ...[...get(RESULTS), ...set(RESULT)],
    ...writeResults,
    ...advance(RESULTS, integer(4 * GROUP_OUTPUTS)),
  ]
  return {
    name: `multiply${count}`,
    parameters: Array<number>(7).fill(I32),
    locals: [I32, I32, I32, ...Array<number>(3 + 2 * count).fill(V128)],
    body: repeatWhileBelow(WEIGHTS, get(WEIGHTS_END), group),
  }
}
