import { createRandom, shuffled } from './random.ts'
import { type Source, thin } from './read-sources.ts'
import { writeEverydayRequests, writeOperationRequests } from './write-requests.ts'

const SEED = 20_261_115

const MAX_TEXTS: Readonly<Record<string, number>> = {
  openapi: 40_000,
  fig: 10_000,
  wordnet: 65_000,
  debian: 12_000,
}
const EVERYDAY_REQUESTS = 30_000
const OPERATION_REQUESTS = 20_000

/**
 * The texts that the teachers embed: a sample of all sources, then requests as people phrase them,
 * then the rest of WordNet.
 */
export function chooseTexts(sources: readonly Source[]): string[] {
  const random = createRandom(SEED)
  const texts: string[] = []
  for (const source of sources) {
    texts.push(...thin(shuffled(source.texts, random), MAX_TEXTS[source.name]!))
    // Only for its random numbers: other ones would select other texts than the cached vectors are of.
    shuffled(source.pairs, random)
  }
  const operations = sources.find((source) => source.name === 'openapi')!.pairs
  const asked = shuffled(writeOperationRequests(operations, random), random)
  texts.push(...asked.slice(0, OPERATION_REQUESTS).map((pair) => pair.request))
  texts.push(...writeEverydayRequests(EVERYDAY_REQUESTS, random))
  const some = shuffled([...new Set(texts)], random)
  return [...some, ...moreOfWordNet(sources, some)]
}

/** All sentences and glosses that are not among the texts yet. */
function moreOfWordNet(sources: readonly Source[], some: readonly string[]): string[] {
  const { texts, sentences } = sources.find((source) => source.name === 'wordnet')!
  const glosses = texts.filter((text) => text.includes(': '))
  const all = new Set([...some, ...shuffled([...sentences!, ...glosses], createRandom(SEED + 1))])
  return [...all].slice(some.length)
}
