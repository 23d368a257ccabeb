import { createRandom } from './random.ts'

export interface BatchOptions {
  readonly size: number
  /** The share of batches whose pairs are all from one source, which are harder to tell apart. */
  readonly fromOneSource: number
  readonly seed: number
}

/** Draws random batches, each source in proportion to its number of pairs. Returns a function for the next batch. */
export function chooseBatches<T extends { readonly source: string }>(
  pairs: readonly T[],
  { size, fromOneSource, seed }: BatchOptions,
): () => T[] {
  const random = createRandom(seed)
  const bySource = new Map<string, T[]>()
  for (const pair of pairs) {
    const same = bySource.get(pair.source)
    if (same) same.push(pair)
    else bySource.set(pair.source, [pair])
  }
  const oneOf = (list: readonly T[]) => list[Math.floor(random() * list.length)]!
  return () => {
    const list = random() < fromOneSource ? bySource.get(oneOf(pairs).source)! : pairs
    return Array.from({ length: size }, () => oneOf(list))
  }
}
