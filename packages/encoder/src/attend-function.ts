import {
  advance,
  type Code,
  F32,
  f32,
  float,
  get,
  I32,
  integer,
  repeatWhileBelow,
  set,
  V128,
  vector,
  type WasmFunction,
} from './assembler.ts'

/** The numbers of one attention head. */
export const HEAD_WIDTH = 32

const [QUERIES, QUERIES_END, RESULT, SCORES, SCORES_END] = [0, 1, 2, 3, 4]
const [QUERY, ROW, SCORE, LARGEST, TOTAL, EXPONENT, FLOOR, FIRST] = [5, 6, 7, 8, 9, 10, 11, 12]
/** The vectors of a query while scores are computed, then those of its result. */
const PARTS = Array.from({ length: HEAD_WIDTH / 4 }, (_, part) => FIRST + part)
const LANES = [0, 1, 2, 3]
const POWERS = [0, 1, 2, 3, 4, 5, 6]

/**
 * The attention of one head over one text. A row has the query, key and value of a word piece, each
 * `width` floats long; the addresses are those of the head's first query. `SCORES` has room for one
 * float per word piece and 16 bytes more.
 */
export function attendFunction(width: number): WasmFunction {
  const rowBytes = 12 * width
  const [keys, values] = [4 * width, 8 * width]
  const splat = (value: number) => vector.splat(float(value))

  const readQuery = PARTS.flatMap((part, at) => [
    ...vector.multiply(vector.load(get(QUERY), 16 * at), splat(1 / Math.sqrt(HEAD_WIDTH))),
    ...set(part),
  ])
  const product = PARTS.map((part, at) =>
    vector.multiply(get(part), vector.load(get(ROW), keys + 16 * at)),
  ).reduce((sum, next) => vector.add(sum, next))
  const scoreRow = [
    ...[...product, ...set(TOTAL)],
    ...f32.store(get(SCORE), sumOfLanes(TOTAL)),
    ...[...f32.max(get(LARGEST), f32.load(get(SCORE))), ...set(LARGEST)],
    ...advance(ROW, integer(rowBytes)),
    ...advance(SCORE, integer(4)),
  ]
  const power = vector.addInt32(
    powerOfTwo(vector.subtract(get(EXPONENT), get(FLOOR)), splat),
    vector.shiftLeft(vector.toInt32(get(FLOOR)), integer(23)),
  )
  const exponentiate = [
    ...vector.multiply(
      vector.subtract(vector.load(get(SCORE)), vector.splat(get(LARGEST))),
      splat(Math.LOG2E),
    ),
    ...[...vector.max([], splat(-126)), ...set(EXPONENT)],
    ...[...vector.floor(get(EXPONENT)), ...set(FLOOR)],
    ...vector.store(get(SCORE), power),
    ...[...vector.add(get(TOTAL), vector.load(get(SCORE))), ...set(TOTAL)],
    ...advance(SCORE, integer(16)),
  ]
  const addValue = [
    ...[...vector.loadSplat(get(SCORE)), ...set(EXPONENT)],
    ...PARTS.flatMap((part, at) => [
      ...vector.add(
        get(part),
        vector.multiply(get(EXPONENT), vector.load(get(ROW), values + 16 * at)),
      ),
      ...set(part),
    ]),
    ...advance(ROW, integer(rowBytes)),
    ...advance(SCORE, integer(4)),
  ]
  const restart = [...get(QUERIES), ...set(ROW), ...get(SCORES), ...set(SCORE)]
  const attend = [
    ...readQuery,
    ...[...float(-1e30), ...set(LARGEST)],
    ...restart,
    ...repeatWhileBelow(SCORE, get(SCORES_END), scoreRow),
    // Exponents are computed in fours: what follows the last score must come out as 0.
    ...vector.store(get(SCORES_END), splat(-1e30)),
    ...[...vector.zeros, ...set(TOTAL)],
    ...restart,
    ...repeatWhileBelow(SCORE, get(SCORES_END), exponentiate),
    ...PARTS.flatMap((part) => [...vector.zeros, ...set(part)]),
    ...restart,
    ...repeatWhileBelow(SCORE, get(SCORES_END), addValue),
    ...[...vector.splat(f32.divide(float(1), sumOfLanes(TOTAL))), ...set(TOTAL)],
    ...PARTS.flatMap((part, at) =>
      vector.store(get(RESULT), vector.multiply(get(part), get(TOTAL)), 16 * at),
    ),
    ...advance(RESULT, integer(4 * width)),
    ...advance(QUERY, integer(rowBytes)),
  ]
  return {
    name: 'attend',
    parameters: Array<number>(5).fill(I32),
    locals: [I32, I32, I32, F32, ...Array<number>(3 + PARTS.length).fill(V128)],
    body: [
      ...[...get(QUERIES), ...set(QUERY)],
      ...repeatWhileBelow(QUERY, get(QUERIES_END), attend),
    ],
  }
}

function sumOfLanes(local: number): Code {
  return LANES.map((lane) => vector.lane(lane, get(local))).reduce((sum, next) =>
    f32.add(sum, next),
  )
}

/** 2 to the power of numbers from 0 to 1, by the first terms of the Taylor series. */
function powerOfTwo(exponent: Code, splat: (value: number) => Code): Code {
  const terms = POWERS.map((power) => Math.LN2 ** power / factorial(power)).reverse()
  return terms.map(splat).reduce((sum, term) => vector.add(vector.multiply(sum, exponent), term))
}

function factorial(value: number): number {
  return value < 2 ? 1 : value * factorial(value - 1)
}
