/** The terms of a text and of its English translation. */
export interface TermPair {
  readonly foreign: readonly string[]
  readonly english: readonly string[]
}

/** How often a foreign term occurs, and how often it is expected to stand for each English term. */
export interface Alignment {
  readonly count: number
  readonly english: ReadonlyMap<string, number>
}

/** Stands for foreign terms that translate no English term. */
export const NOTHING = ''

/** The share of foreign terms that translate nothing, as in function words, before training. */
const NOTHING_WEIGHT = 1

/**
 * IBM model 1: each foreign term translates one English term of its line, or nothing. Expectation
 * maximisation finds how likely each English term is to be translated by each foreign term.
 */
export function alignWords(
  pairs: readonly TermPair[],
  { rounds }: { readonly rounds: number },
): Map<string, Alignment> {
  const foreign = numbering(pairs.map((pair) => pair.foreign))
  const english = numbering([[NOTHING], ...pairs.map((pair) => [NOTHING, ...pair.english])])
  const cellCount = pairs.reduce(
    (sum, pair) => sum + pair.foreign.length * (pair.english.length + 1),
    0,
  )
  // One cell for each foreign term and English term of a line: the number of their combination.
  const cells = new Uint32Array(cellCount)
  const combinations = new Map<number, number>()
  const ofForeign: number[] = []
  const ofEnglish: number[] = []
  let at = 0
  for (const pair of pairs) {
    const englishNumbers = [NOTHING, ...pair.english].map((term) => english.get(term)!)
    for (const term of pair.foreign) {
      const foreignNumber = foreign.get(term)!
      for (const englishNumber of englishNumbers) {
        const key = foreignNumber * english.size + englishNumber
        let combination = combinations.get(key)
        if (combination === undefined) {
          combination = ofForeign.length
          combinations.set(key, combination)
          ofForeign.push(foreignNumber)
          ofEnglish.push(englishNumber)
        }
        cells[at++] = combination
      }
    }
  }
  const nothing = english.get(NOTHING)!
  const likelihood = new Float64Array(ofForeign.length).fill(1)
  let counts = new Float64Array(ofForeign.length)
  for (let round = 0; round < rounds; round++) {
    counts = new Float64Array(ofForeign.length)
    let from = 0
    for (const pair of pairs) {
      const width = pair.english.length + 1
      for (let row = 0; row < pair.foreign.length; row++, from += width) {
        let sum = 0
        for (let i = from; i < from + width; i++) sum += likelihood[cells[i]!]!
        for (let i = from; i < from + width; i++) {
          counts[cells[i]!]! += likelihood[cells[i]!]! / sum
        }
      }
    }
    const totals = new Float64Array(english.size)
    for (let i = 0; i < counts.length; i++) totals[ofEnglish[i]!]! += counts[i]!
    for (let i = 0; i < counts.length; i++) {
      const weight = ofEnglish[i] === nothing ? NOTHING_WEIGHT : 1
      likelihood[i] = (weight * counts[i]!) / totals[ofEnglish[i]!]!
    }
  }
  const terms = [...foreign.keys()]
  const englishTerms = [...english.keys()]
  const result = new Map<string, { count: number; english: Map<string, number> }>()
  for (let i = 0; i < counts.length; i++) {
    const term = terms[ofForeign[i]!]!
    let alignment = result.get(term)
    if (alignment === undefined) {
      alignment = { count: 0, english: new Map() }
      result.set(term, alignment)
    }
    alignment.count += counts[i]!
    if (counts[i]! > 0.01) alignment.english.set(englishTerms[ofEnglish[i]!]!, counts[i]!)
  }
  return result
}

function numbering(lists: readonly (readonly string[])[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const list of lists) {
    for (const term of list) if (!numbers.has(term)) numbers.set(term, numbers.size)
  }
  return numbers
}
