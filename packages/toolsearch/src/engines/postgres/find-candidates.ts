import { stem } from '../../words/stem.ts'
import { rawWords } from '../../words/words.ts'
import type { CandidatesRequest, CandidateTerm, CandidateWord } from '../candidate-engine.ts'
import { type CandidatePlan, planCandidates } from './plan-candidates.ts'
import type { PostgresClient } from './postgres-client.ts'
import { createParameters, likeText, type Parameters, scopeConditions } from './query-builder.ts'
import { readFrequencies } from './read-terms.ts'
import type { Tables } from './tables.ts'
import { FOUND, type FoundRow } from './tool-cache.ts'
import { IMPACTS, isLexeme, quoteLexeme, RANK_DIVISOR, strongLexeme } from './tool-lexemes.ts'

/** A request for a few candidates need not score thousands of tools. */
const SCORED_PER_CANDIDATE = 20
const MAX_GROUPS = 5
const MIN_RATIO = 2 / 3
/** How many terms may contain a required word. */
const MAX_CONTAINING = 100

/**
 * The rows of the best tools by keywords, the best first.
 * @param most how many tools to score at most
 */
export async function findCandidates(
  client: PostgresClient,
  tables: Tables,
  request: CandidatesRequest,
  most: number,
): Promise<readonly FoundRow[]> {
  const { required, limit, scope } = request
  const budget = Math.min(most, SCORED_PER_CANDIDATE * limit)
  const plan = await createPlan(client, tables, request, budget)
  if (plan === undefined) return []
  const parameters = createParameters()
  const conditions = [
    await requiredConditions(client, tables, required, parameters),
    scopeConditions(scope, parameters),
  ].join(' ')
  const score = scoreOf(plan.words, parameters)
  const scored = (seeds: string, rows: number) =>
    `(SELECT id, changed, ${score} AS score FROM ${tables.tools}
    WHERE terms @@ ${parameters.add(seeds)}::tsquery ${conditions} LIMIT ${rows})`
  // The number of tools with two words is only an estimate, so there can be more than the budget.
  const parts = [scored(plan.seeds, budget)]
  if (plan.others !== undefined) parts.push(scored(plan.others, budget))
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
  { words, tools }: CandidatesRequest,
  budget: number,
): Promise<CandidatePlan | undefined> {
  const terms = words.flatMap((word) => word.terms)
  const frequencies = new Map(terms.map(({ term, frequency }) => [term, frequency]))
  if (tools > budget) {
    const strong = terms.map(({ term }) => strongLexeme(term))
    for (const [lexeme, count] of await readFrequencies({ client, tables, scope: {} }, strong)) {
      frequencies.set(lexeme, count)
    }
  }
  return planCandidates(words, (lexeme) => frequencies.get(lexeme) ?? 0, { tools, budget })
}

/**
 * Adds up what the terms are worth in a tool. A call of `ts_rank` takes a microsecond however few
 * lexemes it looks for, so terms of a similar worth share one.
 */
function scoreOf(words: readonly CandidateWord[], parameters: Parameters): string {
  const scores = groupByGain(words.flatMap(({ terms }) => terms)).map((terms) => {
    const query = terms.map(({ term }) => quoteLexeme(term)).join('|')
    const gain = terms.reduce((sum, each) => sum + each.gain, 0) / terms.length
    // It divides by the number of lexemes.
    const factor = parameters.add(gain * RANK_DIVISOR * terms.length)
    return `${factor}::float4 * ts_rank('${IMPACTS}', terms, ${parameters.add(query)}::tsquery)`
  })
  return scores.join(' + ')
}

/** Terms whose gains differ by less than a third, in at most `MAX_GROUPS` groups. */
function groupByGain(terms: readonly CandidateTerm[]): readonly (readonly CandidateTerm[])[] {
  const unique = new Map(terms.map((each) => [each.term, each]))
  const sorted = [...unique.values()].sort((a, b) => b.gain - a.gain)
  const groups: CandidateTerm[][] = []
  for (const each of sorted) {
    const last = groups.at(-1)
    const isSimilar = last && each.gain > last[0]!.gain * MIN_RATIO
    if (last && (isSimilar || groups.length === MAX_GROUPS)) last.push(each)
    else groups.push([each])
  }
  return groups
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
