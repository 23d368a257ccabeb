import { InputError } from '../input-error.ts'
import type { Knob } from './climb.ts'

/** Weights as `ranking/` declares them: numbers, in objects that may contain other objects. */
export interface NestedWeights {
  readonly [key: string]: number | NestedWeights
}

// These decide when a result is doubtful, not the order of the tools. See tune-confidence.ts.
const NOT_TUNED = ['doubt', 'confidence']

const FACTORS = [0.7, 1.4]

// A weight of 0 switches something off, and no factor changes it.
const FIRST_STEP = 0.1

/** Weights that are shares, by the last part of their path. */
const SHARES: readonly string[] = ['b', 'synonym', 'prefix', 'typo', 'left']

/**
 * A knob for each number in the weights, however deep, named by its path: `fields.name.weight`.
 *
 * @param only paths or beginnings of paths, such as `k1` or `fields.name`; all if empty
 * @throws InputError if one of them matches nothing
 */
export function weightKnobs<Weights extends object>(
  weights: Weights,
  only: readonly string[] = [],
): Knob<Weights>[] {
  const paths = numberPaths(weights as unknown as NestedWeights)
  for (const start of only) {
    if (paths.some((path) => isWithin(path, start))) continue
    throw new InputError(`There is no weight "${start}". The weights are ${paths.join(', ')}.`)
  }
  const chosen =
    only.length > 0
      ? paths.filter((path) => only.some((start) => isWithin(path, start)))
      : paths.filter((path) => !NOT_TUNED.some((start) => isWithin(path, start)))
  return chosen.map((path) => ({
    name: path,
    steps: (current) =>
      nextValues(path, readWeight(current, path)).map((value) => withWeight(current, path, value)),
  }))
}

/** The paths of all numbers, in order. */
export function numberPaths(weights: NestedWeights, start = ''): string[] {
  return Object.entries(weights).flatMap(([key, value]) => {
    const path = start + key
    return typeof value === 'number' ? [path] : numberPaths(value, `${path}.`)
  })
}

export function readWeight(weights: object, path: string): number {
  const keys = path.split('.')
  return keys.reduce<unknown>((at, key) => (at as NestedWeights)[key], weights) as number
}

/** A copy of the weights with another value at this path. */
export function withWeight<Weights extends object>(
  weights: Weights,
  path: string,
  value: number,
): Weights {
  const [key, ...rest] = path.split('.') as [keyof Weights & string, ...string[]]
  const inner = weights[key]
  const changed = rest.length === 0 ? value : withWeight(inner as object, rest.join('.'), value)
  return { ...weights, [key]: changed }
}

function nextValues(path: string, value: number): number[] {
  const isShare = SHARES.includes(path.split('.').at(-1)!)
  const values = value === 0 ? [FIRST_STEP] : FACTORS.map((factor) => round(value * factor))
  return [...new Set(values.map((next) => (isShare ? Math.min(1, next) : next)))].filter(
    (next) => next !== value,
  )
}

/** Three significant digits: more would only look precise. */
function round(value: number): number {
  return Number(value.toPrecision(3))
}

function isWithin(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start}.`)
}
