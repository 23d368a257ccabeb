import fc from 'fast-check'

/** Whether each deep run checks other cases than the one before. CI must not fail by chance. */
const isRandom = process.env.TOOLSEARCH_TESTS === 'random'

/**
 * Whether `npm run test:deep` runs, instead of `npm test`: whole matrices and many more cases. It runs the
 * files named `*.matrix.test.ts`, `*.property.test.ts` and `*.deep.test.ts`, and the pure modules of the
 * library. Files named `*.deep.test.ts` are not part of `npm test`.
 */
export const isDeep: boolean = isRandom || process.env.TOOLSEARCH_TESTS === 'deep'

const CASES = 50
const DEEP_CASES = 1_000

/**
 * Checks a property with 50 cases, or with 1,000 in `npm run test:deep`. Each run checks the same ones,
 * unless TOOLSEARCH_TESTS is `random`. When a random case fails, add a test for what caused it.
 *
 * @param options fewer `cases` or `deepCases` if each takes long
 */
export async function checkProperty<Ts>(
  property: fc.IAsyncProperty<Ts> | fc.IProperty<Ts>,
  { cases = CASES, deepCases = DEEP_CASES }: { cases?: number; deepCases?: number } = {},
): Promise<void> {
  const numRuns = isDeep ? deepCases : cases
  await fc.assert(property, isRandom ? { numRuns } : { numRuns, seed: 1 })
}

type Row<D> = { [Key in keyof D]: D[Key] extends readonly (infer Value)[] ? Value : never }

/**
 * Combinations of the values of several dimensions. `npm test` gets a small list in which every pair of
 * values of two dimensions occurs; `npm run test:deep` gets all combinations.
 *
 * @example
 * combinations({ provider: ['a', 'b'], mode: [1, 2], streams: [true, false] })
 * // 4 rows instead of 8
 */
export function combinations<const D extends Readonly<Record<string, readonly unknown[]>>>(
  dimensions: D,
): Row<D>[] {
  const all = product(Object.values(dimensions))
  const rows = isDeep ? all : coverPairs(all)
  const names = Object.keys(dimensions)
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])) as Row<D>)
}

/**
 * Rows in which every value of several dimensions occurs at least once, for matrices that are too large
 * even with pairs. `npm run test:deep` gets all combinations.
 *
 * @example
 * eachValue({ mode: ['a', 'b', 'c'], streams: [true, false] })
 * // 3 rows instead of 6
 */
export function eachValue<const D extends Readonly<Record<string, readonly unknown[]>>>(
  dimensions: D,
): Row<D>[] {
  if (isDeep) return combinations(dimensions)
  const entries = Object.entries(dimensions)
  const length = Math.max(...entries.map(([, values]) => values.length))
  return Array.from(
    { length },
    (_, at) =>
      Object.fromEntries(
        entries.map(([name, values]) => [name, values[at % values.length]]),
      ) as Row<D>,
  )
}

function product(lists: readonly (readonly unknown[])[]): unknown[][] {
  return lists.reduce<unknown[][]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  )
}

/** Takes the row with the most pairs that no row before has, until all pairs occur. */
function coverPairs(all: readonly unknown[][]): unknown[][] {
  const ids = new Map<unknown, number>()
  const idOf = (value: unknown) => {
    if (!ids.has(value)) ids.set(value, ids.size)
    return ids.get(value)
  }
  const pairsOf = (row: readonly unknown[]) =>
    row.flatMap((value, at) =>
      row
        .slice(at + 1)
        .map((other, next) => `${at}:${idOf(value)} ${at + next + 1}:${idOf(other)}`),
    )
  const rows = all.map((row) => ({ row, pairs: pairsOf(row) }))
  const missing = new Set(rows.flatMap(({ pairs }) => pairs))
  const chosen: unknown[][] = []
  while (missing.size > 0) {
    const gainOf = ({ pairs }: { pairs: string[] }) =>
      pairs.filter((pair) => missing.has(pair)).length
    const best = rows.reduce((a, b) => (gainOf(b) > gainOf(a) ? b : a))
    for (const pair of best.pairs) missing.delete(pair)
    chosen.push(best.row)
  }
  return chosen.length > 0 ? chosen : [...all]
}
