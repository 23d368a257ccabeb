/** A query. Two to six words, as models write them, are `short`; longer queries are a `sentence`. */
export interface BenchQuery {
  readonly text: string
  readonly kind: 'short' | 'sentence'
}

const SENTENCES_PER_SET = 50
const LONGEST_SENTENCE = 40

/**
 * Chooses every short query of every set and a sample of the longer ones, the same in every run.
 * Both kinds are mixed evenly, so that an engine that runs out of time has seen both.
 */
export function chooseQueries(sets: readonly (readonly string[])[]): BenchQuery[] {
  const short: string[] = []
  const sentences: string[] = []
  for (const queries of sets) {
    short.push(...queries.filter((query) => isBetween(2, countWords(query), 6)))
    const longer = queries.filter((query) => isBetween(7, countWords(query), LONGEST_SENTENCE))
    const step = Math.max(1, Math.floor(longer.length / SENTENCES_PER_SET))
    sentences.push(...longer.filter((_, at) => at % step === 0).slice(0, SENTENCES_PER_SET))
  }
  return [...spread(short, 'short'), ...spread(sentences, 'sentence')]
    .sort((a, b) => a.place - b.place)
    .map(({ text, kind }) => ({ text, kind }))
}

function spread(texts: readonly string[], kind: BenchQuery['kind']) {
  return texts.map((text, at) => ({ text, kind, place: at / texts.length }))
}

function countWords(text: string): number {
  return text.trim().split(/\s+/).length
}

function isBetween(least: number, number: number, most: number): boolean {
  return least <= number && number <= most
}
