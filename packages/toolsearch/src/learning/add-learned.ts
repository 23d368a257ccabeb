import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranking, ScoredTool, ScorePart } from '../ranking/ranker.ts'
import { withoutServer } from '../tool-search/name-index.ts'
import { nameKey } from '../tool-search/name-key.ts'
import type { Recalled } from './judge-evidence.ts'

/** A tool that similar requests used, and that the caller may see. */
export interface RecalledTool {
  readonly tool: Tool
  readonly found: Recalled
}

/** How deep the ranking is read. Below that, only what was learned counts for a tool. */
export const DEPTH = 20
/** Rankers put a tool that the query names among the first. */
const NAMED_HITS = 10
/** The hits that a confidence is about, and that most searches return. */
const FIRST_HITS = 5
/** Places that one other person alone cannot change. */
const BACKED_PLACES = 2

/** A tool that was raised. */
interface Raised extends RecalledTool {
  /** The score without what was learned. */
  readonly own: number
  /** The score without what one other person alone contributes. */
  readonly backed: number
  readonly full: number
}

interface Learned extends Raised {
  readonly score: number
}

export interface AddLearnedOptions {
  readonly limit: number
  /** The confidence from which on the ranking needs no help of a single person. */
  readonly sure?: number | undefined
}

/**
 * Adds what similar requests used to a ranking: at most as much as the best score, and never so much
 * that a tool passes one that the query names.
 *
 * Scores contain what at least two people, or the person who searches, agree on. Beyond that, each
 * other person can put one tool among the first five, behind the first two or, if there are fewer,
 * behind all of them. If the ranking is sure of its hits, nobody alone adds a tool.
 */
export function addLearned(
  base: Ranking,
  recalled: readonly RecalledTool[],
  query: WordsQuery,
  { limit, sure = Number.POSITIVE_INFINITY }: AddLearnedOptions,
): Ranking {
  const isSure = base.hits.length > 0 && (base.confidence ?? 0) >= sure
  const raised = raise(base, recalled, query, isSure)
  const order = arrange(base.hits, raised)
  const learned = new Map<string, Learned>()
  for (const { tool, score } of order) {
    const of = raised.get(tool.name)
    if (of && score > of.own) learned.set(tool.name, { ...of, score })
  }
  const hits = order.slice(0, limit)
  const { explain } = base
  const isUnscored = ({ tool }: Learned) => (explain?.(tool.name) ?? []).length === 0
  const known = new Set(base.hits.map(({ tool }) => tool.name))
  const added = [...learned.values()].filter(({ tool }) => !known.has(tool.name))
  return {
    ...base,
    hits,
    ...surer(base, hits, learned),
    ...(base.total !== undefined && { total: base.total + added.filter(isUnscored).length }),
    ...(explain && { explain: (name: string) => explainLearned(name, explain, learned) }),
  }
}

function raise(
  { hits, idealScore = 1 }: Ranking,
  recalled: readonly RecalledTool[],
  query: WordsQuery,
  isSure: boolean,
): ReadonlyMap<string, Raised> {
  const top = hits[0]?.score || idealScore
  const scores = new Map(hits.slice(0, DEPTH).map(({ tool, score }) => [tool.name, score]))
  const key = nameKey(query.name)
  const named = hits
    .slice(0, NAMED_HITS)
    // Most queries are longer than any name, and reading letters takes time.
    .find(({ tool }) => key.length <= tool.name.length && isNamed(tool.name, key))
  return new Map(
    recalled.map(({ tool, found }) => {
      const own = scores.get(tool.name) ?? 0
      const isLimited = named !== undefined && named.tool.name !== tool.name
      const most = isLimited ? named.score * (1 - 1e-9) : Number.POSITIVE_INFINITY
      const by = (strength: number) => Math.max(own, Math.min(own + top * strength, most))
      const raised = {
        own,
        backed: by(found.backed),
        full: by(isSure ? found.backed : found.strength),
      }
      return [tool.name, { tool, found, ...raised }]
    }),
  )
}

/** Best first. */
function arrange(
  hits: readonly ScoredTool[],
  raised: ReadonlyMap<string, Raised>,
): readonly ScoredTool[] {
  const known = new Set(hits.map(({ tool }) => tool.name))
  const added = [...raised.values()].filter(({ tool }) => !known.has(tool.name))
  const rest: ScoredTool[] = [
    ...hits.map((hit) => {
      const score = Math.max(hit.score, raised.get(hit.tool.name)?.backed ?? 0)
      return score === hit.score ? hit : { ...hit, score }
    }),
    ...added.map(({ tool, backed }) => ({ tool, score: backed })),
  ]
  // A stable sort: among equal scores, the ranker's own order remains.
  rest.sort((a, b) => b.score - a.score)
  const first = rest.splice(0, rest.filter(({ score }) => score > 0).slice(0, BACKED_PLACES).length)
  const used = new Set<string | undefined>()
  const scoreOf = ({ tool, score }: ScoredTool) => {
    const of = raised.get(tool.name)
    return of === undefined || used.has(of.found.supporter) ? score : Math.max(score, of.full)
  }
  while (first.length < FIRST_HITS && rest.length > 0) {
    const best = rest.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one))
    const score = Math.min(scoreOf(best), first.at(-1)?.score ?? Number.POSITIVE_INFINITY)
    if (score <= 0) break
    if (scoreOf(best) > best.score) used.add(raised.get(best.tool.name)!.found.supporter)
    rest.splice(rest.indexOf(best), 1)
    first.push(score === best.score ? best : { ...best, score })
  }
  return [...first, ...rest.filter(({ score }) => score > 0)]
}

/**
 * The estimates of a ranker are about a query that nobody has made before. What was learned about one
 * tool says nothing about those in front of it, so only the first one makes the search sure.
 */
function surer(
  { confidence, served }: Ranking,
  hits: readonly ScoredTool[],
  learned: ReadonlyMap<string, Learned>,
): Pick<Ranking, 'confidence' | 'served'> {
  const strengths = hits
    .slice(0, FIRST_HITS)
    .map(({ tool }) => learned.get(tool.name)?.found.backed ?? 0)
  const surer = (estimate: number, strength: number) => 1 - (1 - estimate) * (1 - strength)
  return {
    ...(confidence !== undefined && { confidence: surer(confidence, strengths[0] ?? 0) }),
    ...(served !== undefined && { served: surer(served, Math.max(0, ...strengths)) }),
  }
}

function explainLearned(
  name: string,
  explain: NonNullable<Ranking['explain']>,
  learned: ReadonlyMap<string, Learned>,
): readonly ScorePart[] {
  const of = learned.get(name)
  if (of === undefined) return explain(name)
  const { requests, newest } = of.found
  const part: ScorePart = {
    term: requests === 1 ? '1 similar request' : `${requests} similar requests`,
    field: 'use',
    match: 'learned',
    weight: of.score - of.own,
    requests,
    newest,
  }
  return of.own > 0 ? [...explain(name), part] : [part]
}

/** Whether a tool has this name, in any spelling and with or without its server. */
function isNamed(name: string, key: string): boolean {
  return key === nameKey(name) || key === nameKey(withoutServer(name))
}
