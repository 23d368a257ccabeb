import { createRandom, shuffled } from './random.ts'
import { type Pair, type Source, sampleEvenly } from './read-sources.ts'
import { writeEverydayRequests, writeOperationRequests } from './write-requests.ts'

const SEED = 20_261_115

export interface TrainingData {
  /** The texts that the teachers encode. */
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

/** Chooses the training data: a sample of every source, generated requests, and the rest of WordNet. */
export function chooseTexts(sources: readonly Source[]): TrainingData {
  const random = createRandom(SEED)
  const texts: string[] = []
  const pairs: Pair[] = []
  for (const source of sources) {
    texts.push(...sampleEvenly(shuffled(source.texts, random), MAX_TEXTS[source.name]!))
    pairs.push(...sampleEvenly(shuffled(source.pairs, random), MAX_PAIRS[source.name]!))
  }
  const operations = sources.find((source) => source.name === 'openapi')!.pairs
  const operationRequests = shuffled(writeOperationRequests(operations, random), random)
  pairs.push(...operationRequests)
  texts.push(...operationRequests.slice(0, OPERATION_REQUESTS).map((pair) => pair.request))
  texts.push(...writeEverydayRequests(EVERYDAY_REQUESTS, random))
  const chosen = shuffled([...new Set(texts)], random)
  return {
    texts: [...chosen, ...remainingWordNet(sources, chosen)],
    pairs: shuffled(pairs, random),
  }
}

/** All sentences and glosses of WordNet that are not among the chosen texts. */
function remainingWordNet(sources: readonly Source[], chosen: readonly string[]): string[] {
  const { texts, sentences } = sources.find((source) => source.name === 'wordnet')!
  const glosses = texts.filter((text) => text.includes(': '))
  const all = new Set([...chosen, ...shuffled([...sentences!, ...glosses], createRandom(SEED + 1))])
  return [...all].slice(chosen.length)
}
