import {
  advance,
  assembleModule,
  type Code,
  F32,
  get,
  I32,
  integer,
  repeatWhileBelow,
  set,
  V128,
  vector,
} from '../packages/encoder/src/assembler.ts'

// The parameters of `compare`, then its local variables.
const [GROUPS, GROUPS_END, RESULTS, QUERY_END, SCALE, QUERY, ROW_SCALES, PAIR] = [
  0, 1, 2, 3, 4, 5, 6, 7,
]
const SUMS = [8, 9, 10, 11]

/**
 * Assembles the WebAssembly module that implements `RowComparer` of toolsearch, which contains it as text
 * (`compare-rows-module.ts`).
 *
 * Each vector of `SUMS` accumulates four rows. Their numbers are interleaved so that one instruction
 * multiplies a pair of the query with the same pair of all four rows, and the sums never have to be
 * added across lanes.
 */
export function assembleCompareRows(): Uint8Array {
  const addPair = (pair: number): Code => [
    ...[...vector.loadSplat(get(QUERY), 4 * pair), ...set(PAIR)],
    ...SUMS.flatMap((sum, four) => {
      const rows = vector.loadBytes(get(GROUPS), 32 * pair + 8 * four)
      return [...vector.addInt32(get(sum), vector.dotInt16(rows, get(PAIR))), ...set(sum)]
    }),
  ]
  const writeResults = SUMS.flatMap((sum, four) => {
    const scale = vector.load(get(ROW_SCALES), 16 * four)
    const ofRows = vector.multiply(vector.toFloat(get(sum)), scale)
    const scaled = vector.multiply(ofRows, vector.splat(get(SCALE)))
    return vector.store(get(RESULTS), vector.max(scaled, vector.zeros), 16 * four)
  })
  const group = [
    ...[...get(GROUPS), ...set(ROW_SCALES), ...advance(GROUPS, integer(64))],
    ...[...integer(0), ...set(QUERY)],
    ...SUMS.flatMap((sum) => [...vector.zeros, ...set(sum)]),
    ...repeatWhileBelow(QUERY, get(QUERY_END), [
      // Unrolling the loop once saves a tenth of the time.
      ...[0, 1].flatMap(addPair),
      ...advance(GROUPS, integer(64)),
      ...advance(QUERY, integer(8)),
    ]),
    ...writeResults,
    ...advance(RESULTS, integer(64)),
  ]
  const compare = {
    name: 'compare',
    parameters: [I32, I32, I32, I32, F32],
    locals: [I32, I32, V128, ...SUMS.map(() => V128)],
    body: repeatWhileBelow(GROUPS, get(GROUPS_END), group),
  }
  return assembleModule([compare], 1)
}
