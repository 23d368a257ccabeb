import { stem } from '../../words/stem.ts'
import { rawWords } from '../../words/words.ts'
import type { CandidatesRequest, CandidateWord } from '../candidate-engine.ts'
import { type CandidatePlan, planCandidates } from './plan-candidates.ts'
import type { PostgresClient } from './postgres-client.ts'
import { createParameters, likeText, type Parameters, scopeConditions } from './query-builder.ts'
import { readFrequencies } from './read-terms.ts'
import type { Tables } from './tables.ts'
import { FOUND, type FoundRow } from './tool-cache.ts'
import { IMPACTS, isLexeme, quoteLexeme, RANK_DIVISOR, strongLexeme } from './tool-lexemes.ts'

/** How many terms may contain a required word. */
const MAX_CONTAINING = 100

export interface CandidateSettings {
  /** How many tools a search scores. */
  readonly budget: number
  /** The number of all tools. */
  readonly tools: number
}

/** The rows of the best tools by keywords, the best first. */
export async function findCandidates(
  client: PostgresClient,
  tables: Tables,
  request: CandidatesRequest,
  settings: CandidateSettings,
): Promise<readonly FoundRow[]> {
  const { words, required, limit, scope } = request
  const plan = await createPlan(client, tables, words, settings)
  if (plan === undefined) return []
  const parameters = createParameters()
  const conditions = [
    await requiredConditions(client, tables, required, parameters),
    scopeConditions(scope, parameters),
  ].join(' ')
  const score = scoreOf(plan.words, parameters)
  const scored = (seeds: string, most: number) =>
    `(SELECT id, changed, ${score} AS score FROM ${tables.tools}
    WHERE terms @@ ${parameters.add(seeds)}::tsquery ${conditions} LIMIT ${most})`
  // Twice the budget, because the number of tools with two words is only estimated.
  const parts = [scored(plan.seeds, 2 * settings.budget)]
  if (plan.others !== undefined) parts.push(scored(plan.others, settings.budget))
  const { rows } = await client.query(
    `SELECT ${FOUND} FROM (${parts.join(' UNION ')}) AS scored
    ORDER BY score DESC, scored.id LIMIT ${parameters.add(limit)}`,
    parameters.values,
  )
  return rows as FoundRow[]
}

async function createPlan(
  client: PostgresClient,
  tables: Tables,
  words: readonly CandidateWord[],
  settings: CandidateSettings,
): Promise<CandidatePlan | undefined> {
  const terms = words.flatMap((word) => word.terms)
  const frequencies = new Map(terms.map(({ term, frequency }) => [term, frequency]))
  if (settings.tools > settings.budget) {
    const strong = terms.map(({ term }) => strongLexeme(term))
    for (const [lexeme, count] of await readFrequencies(client, tables, strong)) {
      frequencies.set(lexeme, count)
    }
  }
  return planCandidates(words, (lexeme) => frequencies.get(lexeme) ?? 0, settings)
}

/** Adds up, for each word, what the best of its terms is worth in a tool. */
function scoreOf(words: readonly CandidateWord[], parameters: Parameters): string {
  const scores = words.map(({ terms }) => {
    const each = terms.map(({ term, gain }) => {
      const query = `${parameters.add(quoteLexeme(term))}::tsquery`
      const worth = `${parameters.add(gain * RANK_DIVISOR)}::float4`
      return `${worth} * ts_rank('${IMPACTS}', terms, ${query})`
    })
    return each.length === 1 ? each[0]! : `greatest(${each.join(', ')})`
  })
  return scores.join(' + ')
}

/** The texts of a tool contain a required word if one of its terms does, as far as stems can tell. */
async function requiredConditions(
  client: PostgresClient,
  tables: Tables,
  required: readonly string[],
  parameters: Parameters,
): Promise<string> {
  const conditions: string[] = []
  for (const part of required.flatMap(rawWords).filter(isLexeme)) {
    const { rows } = await client.query(
      `SELECT term FROM ${tables.terms} WHERE term LIKE $1 AND NOT starts_with(term, '=')
      LIMIT ${MAX_CONTAINING}`,
      [`%${likeText(part)}%`],
    )
    const containing = (rows as { term: string }[]).map(({ term }) => quoteLexeme(term))
    const query = [`${quoteLexeme(stem(part))}:*`, ...containing].join('|')
    conditions.push(`AND terms @@ ${parameters.add(query)}::tsquery`)
  }
  return conditions.join(' ')
}
