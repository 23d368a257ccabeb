/** Something to search for. Two to six words are `short`, as models write; more is a `sentence`. */
export interface BenchQuery {
  readonly text: string
  readonly kind: 'short' | 'sentence'
}

const SENTENCES_OF_EACH_SET = 50
const LONGEST_SENTENCE = 40

/**
 * Every short query of every set, and of the longer ones every n-th: the same in every run.
 * The kinds are mixed evenly, so that whoever stops early has seen its share of both.
 */
export function chooseQueries(sets: ReadonlyMap<string, readonly string[]>): BenchQuery[] {
  const short: string[] = []
  const sentences: string[] = []
  for (const queries of sets.values()) {
    short.push(...queries.filter((query) => isBetween(2, countWords(query), 6)))
    const longer = queries.filter((query) => isBetween(7, countWords(query), LONGEST_SENTENCE))
    const step = Math.max(1, Math.floor(longer.length / SENTENCES_OF_EACH_SET))
    sentences.push(...longer.filter((_, at) => at % step === 0).slice(0, SENTENCES_OF_EACH_SET))
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
