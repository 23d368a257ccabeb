import type { ToolDefinition } from 'toolsearch'
import { evaluate } from '../../packages/toolsearch/src/evaluation/evaluate.ts'
import {
  type EvaluationQuery,
  labelsOf,
} from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { Contender } from '../retrieval/contender.ts'
import { type Failure, rankInChild } from '../retrieval/rank-in-child.ts'
import type { RetrievalSet } from '../retrieval/retrieval-set.ts'
import type { AttackRow } from './attack-report.ts'
import { type Attack, commonWords, localName } from './hostile-tools.ts'

const LIMIT = 5

export interface AttackOptions {
  readonly attacks: readonly Attack[]
  /** How many tools the hostile server has, in turn. */
  readonly counts: readonly number[]
  /** How many requests each attack is measured with. */
  readonly queries: number
}

/** A hostile server, and the requests that it is measured with. */
export interface Scenario {
  readonly attack: Attack
  readonly count: number
  readonly hostile: readonly ToolDefinition[]
  readonly queries: readonly EvaluationQuery[]
}

/** @param elsewhere requests of another set, which the author of the hostile tools knows */
export function scenariosFor(
  set: RetrievalSet,
  elsewhere: readonly string[],
  { attacks, counts, queries }: AttackOptions,
): Scenario[] {
  const wanted = wantedTools(set)
  const surroundings = { words: commonWords(set.tools), requests: elsewhere, wanted }
  return attacks.flatMap((attack) =>
    counts.map((count) => ({
      attack,
      count,
      hostile: attack.write(surroundings, count),
      queries: pickEvenly(requestsFor(set, attack.targets?.(wanted, count)), queries),
    })),
  )
}

/** Measures how often the hostile tools of each scenario are found. */
export async function measureContender(
  contender: Contender,
  { name: set, tools }: RetrievalSet,
  scenarios: readonly Scenario[],
): Promise<readonly AttackRow[] | Failure> {
  const runs = scenarios.map(({ hostile, queries }) => ({
    queries: queries.map(({ query }) => query),
    added: hostile,
  }))
  const all = [...new Set(runs.flatMap(({ queries }) => queries))]
  const outcome = await rankInChild(contender, {
    tools,
    runs: [{ queries: all }, ...runs],
    limit: LIMIT,
  })
  if ('failure' in outcome) return outcome
  const [honest, ...attacked] = outcome
  const listsWithout = new Map(all.map((query, at) => [query, honest!.names[at]!]))
  const rows: AttackRow[] = []
  for (const [at, { attack, count, hostile, queries }] of scenarios.entries()) {
    const names = new Set(hostile.map((tool) => tool.name))
    const lists = attacked[at]!.names
    const share = (isHit: (list: readonly string[]) => boolean) =>
      lists.filter(isHit).length / queries.length
    const without = queries.map(({ query }) => listsWithout.get(query)!)
    const recall = await recallOf(without, queries)
    rows.push({
      contender: contender.name,
      side: contender.side,
      set,
      attack: attack.name,
      count,
      queries: queries.length,
      recall,
      first: share(([best]) => best !== undefined && names.has(best)),
      firstFive: share((list) => list.some((name) => names.has(name))),
      lost: recall - (await recallOf(lists, queries)),
    })
  }
  return rows
}

async function recallOf(
  lists: readonly (readonly string[])[],
  queries: readonly EvaluationQuery[],
): Promise<number> {
  let at = 0
  const { all } = await evaluate(() => lists[at++]!, queries, { limit: LIMIT })
  return all.scores?.recallAt5 ?? 0
}

/** The tools that requests need, the most needed first. One of each name, which a server can imitate. */
function wantedTools({ tools, queries }: RetrievalSet): readonly ToolDefinition[] {
  const uses = new Map<string, number>()
  for (const name of queries.flatMap(neededBy)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const usesOf = ({ name }: ToolDefinition) => uses.get(name) ?? 0
  const needed = tools
    .filter(({ name }) => uses.has(name))
    .sort((a, b) => usesOf(a) - usesOf(b) || (a.name > b.name ? -1 : 1))
  return [...new Map(needed.map((tool) => [localName(tool.name), tool])).values()].reverse()
}

/** The requests that need one of these tools; without them, all. */
function requestsFor(
  { queries }: RetrievalSet,
  targets?: readonly ToolDefinition[],
): readonly EvaluationQuery[] {
  if (targets === undefined) return queries
  const names = new Set(targets.map(({ name }) => name))
  return queries.filter((query) => neededBy(query).some((name) => names.has(name)))
}

function neededBy(query: EvaluationQuery): string[] {
  return labelsOf(query).flatMap((label) => [...label])
}
