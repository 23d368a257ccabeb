import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { rankAccepted } from '../ranking/rank-accepted.ts'
import type { Ranker, Ranking, RankOptions, ScoredTool, ScorePart } from '../ranking/ranker.ts'
import type { Recalled } from './use-index.ts'

/** A ranker as a search needs it. */
export type SearchRanker = Pick<Ranker, 'rank' | 'prepare' | 'vectors'>

export interface LearnedRankerOptions {
  readonly ranker: SearchRanker
  /** A tool that the caller may see. */
  readonly get: (name: string) => Tool | undefined
  /** What similar requests say. An empty map leaves the ranking as it is. */
  readonly recall: (query: WordsQuery) => ReadonlyMap<string, Recalled>
  /** Before the first search, and now and then after that. */
  readonly ready: () => Promise<void>
}

/** How deep the ranking is read. Below that, only what was learned counts for a tool. */
const DEPTH = 60
/** Rankers put a tool that the query names among the first. */
const NAMED_HITS = 10
/** The hits that a confidence is about. */
const JUDGED_HITS = 5

/**
 * Adds what similar requests used to a ranking: at most as much as the best score, and never so much
 * that a tool passes one that the query names. Comes after the rules, because it may add tools that
 * have nothing in common with the query.
 */
export function learnedRanker({ ranker, get, recall, ready }: LearnedRankerOptions): SearchRanker {
  return {
    ...(ranker.vectors && { vectors: ranker.vectors }),
    async prepare(text) {
      await Promise.all([ready(), ranker.prepare?.(text)])
    },
    rank(query, options) {
      const recalled = [...recall(query)].flatMap(([name, found]) => {
        const tool = get(name)
        const isAccepted = tool && (options.accepts?.(tool) ?? true)
        return isAccepted ? [{ tool, found }] : []
      })
      if (recalled.length === 0) return ranker.rank(query, options)
      const limit = Math.max(options.limit, DEPTH)
      return addLearned(
        rankAccepted(ranker, query, { ...options, limit }),
        recalled,
        query,
        options,
      )
    },
  }
}

interface RecalledTool {
  readonly tool: Tool
  readonly found: Recalled
}

function addLearned(
  base: Ranking,
  recalled: readonly RecalledTool[],
  query: WordsQuery,
  { limit }: RankOptions,
): Ranking {
  const top = base.hits[0]?.score || (base.idealScore ?? 1)
  const places = new Map(base.hits.map(({ tool }, place) => [tool.name, place]))
  const key = lettersOf(query.name)
  const named = base.hits.slice(0, NAMED_HITS).find(({ tool }) => isName(key, tool.name))
  const highest = named ? named.score * (1 - 1e-9) : Number.POSITIVE_INFINITY
  const learned = new Map<string, Learned>()
  for (const { tool, found } of recalled) {
    const place = places.get(tool.name) ?? Number.POSITIVE_INFINITY
    const own = place < DEPTH ? base.hits[place]!.score : 0
    const most = tool.name === named?.tool.name ? Number.POSITIVE_INFINITY : highest
    const score = Math.max(own, Math.min(own + top * found.strength, most))
    if (score > own) learned.set(tool.name, { tool, found, score, own })
  }
  const raised = base.hits.map((hit) => {
    const score = Math.max(hit.score, learned.get(hit.tool.name)?.score ?? 0)
    return score === hit.score ? hit : { ...hit, score }
  })
  const added = [...learned.values()].filter(({ tool }) => !places.has(tool.name))
  // A stable sort: among equal scores, the ranker's own order remains.
  const hits: ScoredTool[] = [...raised, ...added.map(({ tool, score }) => ({ tool, score }))]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
  const { explain } = base
  const unscored = added.filter(({ tool }) => (explain?.(tool.name) ?? []).length === 0)
  return {
    ...base,
    hits,
    ...surer(base, hits, learned),
    ...(base.total !== undefined && { total: base.total + unscored.length }),
    ...(explain && { explain: (name: string) => explainLearned(name, explain, learned) }),
  }
}

interface Learned extends RecalledTool {
  readonly score: number
  /** The score without what was learned. */
  readonly own: number
}

/** The estimates of a ranker are about a query that nobody has made before. */
function surer(
  { confidence, served }: Ranking,
  hits: readonly ScoredTool[],
  learned: ReadonlyMap<string, Learned>,
): Pick<Ranking, 'confidence' | 'served'> {
  const strengths = hits
    .slice(0, JUDGED_HITS)
    .map(({ tool }) => learned.get(tool.name)?.found.strength ?? 0)
  const doubt = 1 - Math.max(0, ...strengths)
  return {
    ...(confidence !== undefined && { confidence: 1 - (1 - confidence) * doubt }),
    ...(served !== undefined && { served: 1 - (1 - served) * doubt }),
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

/** Whether these letters are the name of a tool, with or without its server. */
function isName(key: string, name: string): boolean {
  return key === lettersOf(name) || key === lettersOf(name.slice(name.lastIndexOf('__') + 1))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}
