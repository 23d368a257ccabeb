import { createRandom, shuffled } from './random.ts'
import { type Pair, type Source, thin } from './read-sources.ts'
import { writeEverydayRequests, writeOperationRequests } from './write-requests.ts'

const SEED = 20_261_115

export interface Lessons {
  /** The texts that the teachers embed. */
  readonly texts: readonly string[]
  readonly pairs: readonly Pair[]
}

const MAX_TEXTS: Readonly<Record<string, number>> = {
  openapi: 40_000,
  fig: 10_000,
  wordnet: 65_000,
  debian: 12_000,
}
const MAX_PAIRS: Readonly<Record<string, number>> = {
  openapi: 70_000,
  fig: 12_000,
  wordnet: 90_000,
  debian: 0,
}
const EVERYDAY_REQUESTS = 30_000
const OPERATION_REQUESTS = 20_000

/** A sample of all sources, then requests as people phrase them, then the rest of WordNet. */
export function chooseTexts(sources: readonly Source[]): Lessons {
  const random = createRandom(SEED)
  const texts: string[] = []
  const pairs: Pair[] = []
  for (const source of sources) {
    texts.push(...thin(shuffled(source.texts, random), MAX_TEXTS[source.name]!))
    pairs.push(...thin(shuffled(source.pairs, random), MAX_PAIRS[source.name]!))
  }
  const operations = sources.find((source) => source.name === 'openapi')!.pairs
  const asked = shuffled(writeOperationRequests(operations, random), random)
  pairs.push(...asked)
  texts.push(...asked.slice(0, OPERATION_REQUESTS).map((pair) => pair.request))
  texts.push(...writeEverydayRequests(EVERYDAY_REQUESTS, random))
  const some = shuffled([...new Set(texts)], random)
  return { texts: [...some, ...moreOfWordNet(sources, some)], pairs: shuffled(pairs, random) }
}

/** All sentences and glosses that are not among the texts yet. */
function moreOfWordNet(sources: readonly Source[], some: readonly string[]): string[] {
  const { texts, sentences } = sources.find((source) => source.name === 'wordnet')!
  const glosses = texts.filter((text) => text.includes(': '))
  const all = new Set([...some, ...shuffled([...sentences!, ...glosses], createRandom(SEED + 1))])
  return [...all].slice(some.length)
}
