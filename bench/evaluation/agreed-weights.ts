import { type NestedWeights, numberPaths, readWeight, withWeight } from './weight-knobs.ts'

/**
 * Changes a weight only if both choices move it in the same direction, and then by the smaller of the
 * two steps. What only one half of the sets asks for stays as it is.
 */
export function agreedWeights<Weights extends object>(
  current: Weights,
  [first, second]: readonly [Weights, Weights],
): Weights {
  return numberPaths(current as unknown as NestedWeights).reduce((agreed, path) => {
    const [from, one, two] = [current, first, second].map((weights) => readWeight(weights, path))
    const isAgreed = (one! - from!) * (two! - from!) > 0
    const nearer = Math.abs(one! - from!) < Math.abs(two! - from!) ? one! : two!
    return isAgreed ? withWeight(agreed, path, nearer) : agreed
  }, current)
}

/** One line per weight that differs: `fields.name.weight 3 → 4.2`. */
export function changedWeights<Weights extends object>(before: Weights, after: Weights): string[] {
  return numberPaths(before as unknown as NestedWeights).flatMap((path) => {
    const [from, to] = [readWeight(before, path), readWeight(after, path)]
    return from === to ? [] : [`${path} ${from} → ${to}`]
  })
}
