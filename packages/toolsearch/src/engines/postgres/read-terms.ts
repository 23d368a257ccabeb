import { createVocabulary } from '../../words/vocabulary.ts'
import type { TermFacts, TermsRequest } from '../candidate-engine.ts'
import type { PostgresClient } from './postgres-client.ts'
import { likeText, storable } from './query-builder.ts'
import { countAll, type Tables } from './tables.ts'

const MAX_TERMS = 8
/** How many terms that share letters with a word are compared with it. */
const MAX_COMPARED = 200

export async function readTermFacts(
  client: PostgresClient,
  tables: Tables,
  { terms, prefixes, misspelled }: TermsRequest,
): Promise<TermFacts> {
  const [tools, counts, startingWith, resembling] = await Promise.all([
    countAll(client, tables),
    readFrequencies(client, tables, terms),
    Promise.all(prefixes.map((prefix) => findStartingWith(client, tables, prefix))),
    Promise.all(misspelled.map((word) => findResembling(client, tables, word))),
  ])
  const frequencies = new Map(counts)
  const names = (found: readonly TermCount[]) => {
    for (const { term, tools } of found) frequencies.set(term, tools)
    return found.map(({ term }) => term)
  }
  return {
    tools,
    frequencies,
    startingWith: new Map(prefixes.map((prefix, at) => [prefix, names(startingWith[at]!)])),
    resembling: new Map(misspelled.map((word, at) => [word, names(resembling[at]!)])),
  }
}

interface TermCount {
  readonly term: string
  readonly tools: number
}

/** How many tools contain each lexeme. */
export async function readFrequencies(
  client: PostgresClient,
  { terms }: Tables,
  lexemes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const wanted = storable(lexemes)
  if (wanted.length === 0) return new Map()
  const { rows } = await client.query(
    `SELECT term, tools FROM ${terms} WHERE term = ANY($1::text[])`,
    [wanted],
  )
  return new Map((rows as TermCount[]).map(({ term, tools }) => [term, tools]))
}

async function findStartingWith(
  client: PostgresClient,
  { terms }: Tables,
  prefix: string,
): Promise<readonly TermCount[]> {
  if (storable([prefix]).length === 0) return []
  const { rows } = await client.query(
    `SELECT term, tools FROM ${terms} WHERE term LIKE $1 AND NOT starts_with(term, '=')
    ORDER BY char_length(term), term LIMIT ${MAX_TERMS}`,
    [`${likeText(prefix)}%`],
  )
  return rows as TermCount[]
}

/** The index finds terms that share letters. The vocabulary then counts the typing errors. */
async function findResembling(
  client: PostgresClient,
  { terms }: Tables,
  word: string,
): Promise<readonly TermCount[]> {
  if (storable([word]).length === 0) return []
  const { rows } = await client.query(
    `SELECT term, tools FROM ${terms} WHERE NOT starts_with(term, '=')
    ORDER BY term <-> $1 LIMIT ${MAX_COMPARED}`,
    [word],
  )
  const vocabulary = createVocabulary()
  const counts = new Map((rows as TermCount[]).map(({ term, tools }) => [term, tools]))
  for (const term of counts.keys()) vocabulary.add(term)
  return vocabulary.resembling(word).map((term) => ({ term, tools: counts.get(term)! }))
}
