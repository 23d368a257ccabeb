import { type NestedWeights, numberPaths, readWeight, withWeight } from './weight-knobs.ts'

/**
 * Weights that nobody chose by looking at a data set: textbook BM25, all fields alike, keywords and
 * meaning alike. Weights chosen from here on one half know nothing about the other half.
 */
const NEUTRAL: Readonly<Record<string, NestedWeights>> = {
  fielded: {
    k1: 1.2,
    fields: {
      name: { weight: 1, b: 0.75 },
      source: { weight: 1, b: 0.75 },
      hint: { weight: 1, b: 0.75 },
      description: { weight: 1, b: 0.75 },
      parameterName: { weight: 1, b: 0.75 },
      parameterDescription: { weight: 1, b: 0.75 },
    },
    synonym: 0.5,
    prefix: 0.5,
    typo: 0.5,
    nameCoverage: 0.1,
  },
  hybrid: { words: 1, name: 0.1, parameters: 0.1 },
}

/** The current weights of a ranker with neutral values. Weights without one keep their value. */
export function neutralWeights<Weights extends object>(ranker: string, current: Weights): Weights {
  const neutral = NEUTRAL[ranker] ?? {}
  const known = numberPaths(current as unknown as NestedWeights)
  return numberPaths(neutral)
    .filter((path) => known.includes(path))
    .reduce((weights, path) => withWeight(weights, path, readWeight(neutral, path)), current)
}
