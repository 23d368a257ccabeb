import { createVocabulary, MAX_ERRORS } from '../../words/vocabulary.ts'
import type { EngineScope, TermFacts, TermsRequest } from '../candidate-engine.ts'
import type { PostgresClient } from './postgres-client.ts'
import { createParameters, likeText, scopeConditions, storable } from './query-builder.ts'
import { countAll, type Tables } from './tables.ts'
import { isLexeme, quoteLexeme } from './tool-lexemes.ts'

const MAX_TERMS = 8
/** How many terms that share letters with a word are compared with it. */
const MAX_COMPARED = 200
/** Terms of concealed tools are skipped, so more are read at a time. */
const SCOPED_BATCH = 100

export interface TermReader {
  readonly client: PostgresClient
  readonly tables: Tables
  /** Only tools in the scope count, so that nothing reveals what other tools say. */
  readonly scope: EngineScope
}

export async function readTermFacts(
  reader: TermReader,
  { terms, prefixes, misspelled }: TermsRequest,
): Promise<TermFacts> {
  const [tools, counts, startingWith, resembling] = await Promise.all([
    countTools(reader),
    readFrequencies(reader, terms),
    Promise.all(prefixes.map((prefix) => findStartingWith(reader, prefix))),
    Promise.all(misspelled.map((word) => findResembling(reader, word))),
  ])
  const frequencies = new Map(counts)
  for (const found of [...startingWith, ...resembling]) {
    for (const [term, count] of found) frequencies.set(term, count)
  }
  const names = (keys: readonly string[], found: readonly Frequencies[]) =>
    new Map(keys.map((key, at) => [key, [...found[at]!.keys()]]))
  return {
    tools,
    frequencies,
    startingWith: names(prefixes, startingWith),
    resembling: names(misspelled, resembling),
  }
}

/** How many tools contain each term. */
type Frequencies = ReadonlyMap<string, number>

export async function countTools({ client, tables, scope }: TermReader): Promise<number> {
  if (isEverything(scope)) return countAll(client, tables)
  const parameters = createParameters()
  const conditions = scopeConditions(scope, parameters)
  // The names of a caller are few, and the tools of a source are counted already.
  const counted = scope.names
    ? `SELECT count(*)::int AS tools FROM ${tables.tools} WHERE true`
    : `SELECT coalesce(sum(tools), 0)::int AS tools FROM ${tables.sources} WHERE true`
  const { rows } = await client.query(`${counted} ${conditions}`, parameters.values)
  return (rows[0] as { tools: number }).tools
}

/** How many tools contain each lexeme. Lexemes that none contains are left out. */
export async function readFrequencies(
  { client, tables, scope }: TermReader,
  lexemes: readonly string[],
): Promise<Frequencies> {
  const wanted = storable(lexemes).filter(isLexeme)
  if (wanted.length === 0) return new Map()
  const parameters = createParameters()
  const terms = parameters.add(wanted)
  const statement = isEverything(scope)
    ? `SELECT term, tools FROM ${tables.terms} WHERE term = ANY(${terms}::text[])`
    : `SELECT wanted.term, count(*)::int AS tools
      FROM unnest(${terms}::text[], ${parameters.add(wanted.map(quoteLexeme))}::text[])
        AS wanted (term, query)
      JOIN ${tables.tools} ON terms @@ wanted.query::tsquery
      WHERE true ${scopeConditions(scope, parameters)} GROUP BY wanted.term`
  const { rows } = await client.query(statement, parameters.values)
  return toFrequencies(rows)
}

async function findStartingWith(reader: TermReader, prefix: string): Promise<Frequencies> {
  if (storable([prefix]).length === 0) return new Map()
  const { client, tables, scope } = reader
  const batch = isEverything(scope) ? MAX_TERMS : SCOPED_BATCH
  const found: [string, number][] = []
  for (let offset = 0; ; offset += batch) {
    const { rows } = await client.query(
      `SELECT term, tools FROM ${tables.terms} WHERE term LIKE $1 AND NOT starts_with(term, '=')
      ORDER BY char_length(term), term LIMIT ${batch} OFFSET ${offset}`,
      [`${likeText(prefix)}%`],
    )
    const all = toFrequencies(rows)
    const visible = isEverything(scope) ? all : await readFrequencies(reader, [...all.keys()])
    for (const term of all.keys()) if (visible.has(term)) found.push([term, visible.get(term)!])
    if (found.length >= MAX_TERMS || rows.length < batch) return new Map(found.slice(0, MAX_TERMS))
  }
}

/** PostgreSQL finds terms that share letters. The vocabulary then counts the typing errors. */
async function findResembling(reader: TermReader, word: string): Promise<Frequencies> {
  if (storable([word]).length === 0) return new Map()
  const all = await findSimilarTerms(reader, word)
  const vocabulary = createVocabulary()
  for (const term of all.keys()) vocabulary.add(term)
  for (;;) {
    const terms = vocabulary.resembling(word)
    const visible = isEverything(reader.scope) ? all : await readFrequencies(reader, terms)
    const concealed = terms.filter((term) => !visible.has(term))
    if (concealed.length === 0) return new Map(terms.map((term) => [term, visible.get(term)!]))
    for (const term of concealed) vocabulary.delete(term)
  }
}

/** In a scope, terms of other tools must not displace those of its own, so all of them are compared. */
async function findSimilarTerms(
  { client, tables, scope }: TermReader,
  word: string,
): Promise<Frequencies> {
  const letters = [...word]
  const from = `SELECT term, tools FROM ${tables.terms} WHERE NOT starts_with(term, '=')`
  const { rows } = isEverything(scope)
    ? await client.query(`${from} ORDER BY term <-> $1 LIMIT ${MAX_COMPARED}`, [word])
    : await client.query(`${from} AND term LIKE $1 AND char_length(term) BETWEEN $2 AND $3`, [
        `${likeText(letters[0] ?? '')}%`,
        letters.length - MAX_ERRORS,
        letters.length + MAX_ERRORS,
      ])
  return toFrequencies(rows)
}

function isEverything({ names, sources }: EngineScope): boolean {
  return names === undefined && sources === undefined
}

function toFrequencies(rows: readonly unknown[]): Frequencies {
  return new Map(
    (rows as { term: string; tools: number }[]).map(({ term, tools }) => [term, tools]),
  )
}
