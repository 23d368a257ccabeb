import { parseQuery } from '../query/parse-query.ts'
import type { WordsQuery } from '../query/query.ts'
import { readNeeds } from '../query/read-needs.ts'
import { type Choice, chooseByNeed, NEED_DEPTH, WHOLE_DEPTH } from './choose-by-need.ts'
import { fairPlaces } from './fair-places.ts'
import type { Ranker, Ranking, RankingRule, RankOptions } from './ranker.ts'
import { scaleParts } from './reorder.ts'

/**
 * Adds rules to a ranker that ranks each query as a whole: a query that asks for several things is
 * ranked for each of them, the path of a file to write is not a subject, and no server gets places by
 * copying others or by offering many similar tools.
 */
export function ruleRanker(core: Ranker): Ranker {
  const ranker: Ranker = {
    ...core,
    ...(core.prepare && {
      async prepare(text: string) {
        const query = parseQuery(text)
        if (query.kind !== 'words') return
        const { whole, needs } = readNeeds(query)
        await Promise.all([whole, ...needs].map((part) => core.prepare!(part.text)))
      },
    }),
    rank: (query, options) => rankByRules(core, query, options),
  }
  cores.set(ranker, core)
  return ranker
}

/** Not a property of the ranker: a copy with another `rank` must not be taken for the original. */
const cores = new WeakMap<Ranker, Ranker>()

/**
 * The ranker without rules, if `ruleRanker` has added some. Rules look at all hits together, so a
 * ranker that merges rankings applies them after that, with `rankByRules`.
 */
export function coreOf(ranker: Ranker): Ranker | undefined {
  return cores.get(ranker)
}

/** Ranks a query by the rules of `ruleRanker`. */
export function rankByRules(
  core: Pick<Ranker, 'rank'>,
  query: WordsQuery,
  options: RankOptions,
): Ranking {
  const { whole, needs, files } = readNeeds(query)
  const { limit } = options
  // Confidence and rules must not depend on the limit, so they look at this many hits.
  const rank = (part: WordsQuery, depth: number, least = depth) =>
    fairPlaces(core.rank(part, { ...options, limit: Math.max(least, depth) }), part, depth)
  const ofWhole = judged(rank(whole, WHOLE_DEPTH, limit))
  const fileRules = files.map(({ path, need }) => ({ rule: 'file', path, need }) as const)
  if (needs.length < 2) {
    const hits = ofWhole.hits.slice(0, limit)
    const rules = [...fileRules, ...(ofWhole.rules ?? [])]
    return rules.length > 0 ? { ...ofWhole, hits, rules } : { ...ofWhole, hits }
  }
  const ofNeeds = needs.map((need) => rank(need, NEED_DEPTH))
  const choices = chooseByNeed(ofWhole, ofNeeds, limit)
  const rules: RankingRule[] = [
    ...fileRules,
    { rule: 'needs', needs: needs.map(({ text }) => text) },
    ...(ofWhole.rules ?? []),
  ]
  const totals = [ofWhole, ...ofNeeds].map(({ total = 0 }) => total)
  return {
    ...ofWhole,
    hits: choices,
    rules,
    ...(ofWhole.total !== undefined && { total: Math.max(...totals, choices.length) }),
    ...(ofWhole.explain && { explain: explainer(choices, ofWhole, ofNeeds, needs) }),
  }
}

/** Judges a ranking before the next one overwrites what it needs. */
function judged({ judge, ...ranking }: Ranking): Ranking {
  return judge ? { ...ranking, ...judge(ranking.hits) } : ranking
}

function explainer(
  choices: readonly Choice[],
  ofWhole: Ranking,
  ofNeeds: readonly Ranking[],
  needs: readonly WordsQuery[],
): NonNullable<Ranking['explain']> {
  const byName = new Map(choices.map((choice) => [choice.tool.name, choice]))
  return (name) => {
    const choice = byName.get(name)
    if (choice === undefined) return []
    const { ofWhole: share, need, ofNeed } = choice
    const parts = scaleParts(ofWhole.explain!(name), share)
    if (need < 0) return parts
    const added = scaleParts(ofNeeds[need]?.explain?.(name) ?? [], ofNeed)
    return [...parts, ...added.map((part) => ({ ...part, need: needs[need]!.text }))]
  }
}
