import type { Tool } from '../catalogue/tool.ts'
import type { Ranking } from './ranker.ts'

/** A chosen tool, and what its score consists of: shares of its scores in two of the rankings. */
export interface Choice {
  readonly tool: Tool
  readonly score: number
  readonly isBestForNeed: boolean
  /** The score for the whole query counts this much. */
  readonly ofWhole: number
  /** The need that the tool was chosen for, as an index; -1 for none. */
  readonly need: number
  /** The score for that need counts this much. */
  readonly ofNeed: number
}

/** How many tools are candidates: the best ones for the whole query, and for each need. */
export const WHOLE_DEPTH = 40
export const NEED_DEPTH = 12
/** How much the whole query counts; the rest is for the need that a tool serves best. */
const WHOLE_SHARE = 0.6
/** How much less a need counts after the tool that serves it best was chosen. */
const MET_SHARE = 0.5
/** So many tools are chosen one by one. The rest follows by score, as if no more needs were met. */
const MAX_CHOSEN = 25

interface Candidate {
  readonly tool: Tool
  /** The scores relative to the best one of each ranking. */
  whole: number
  readonly needs: number[]
  taken: boolean
}

/**
 * Merges the ranking of a query with those of its needs, so that the best tools for each need get a
 * place. Takes the best tool, then counts the needs that this tool serves for less, and so on.
 * Scores keep the scale of `whole`, and never increase from one choice to the next. The limit decides
 * only how many tools are returned: those that are not candidates come last.
 */
export function chooseByNeed(whole: Ranking, needs: readonly Ranking[], limit: number): Choice[] {
  const near = { ...whole, hits: whole.hits.slice(0, WHOLE_DEPTH) }
  const candidates = gather(
    near,
    needs.map((need) => ({ ...need, hits: need.hits.slice(0, NEED_DEPTH) })),
  )
  const bests = needs.map(bestOf)
  const scale = bestOf(whole)
  const left = needs.map(() => 1)
  const chosen: Choice[] = []
  while (chosen.length < Math.min(limit, MAX_CHOSEN, candidates.length)) {
    let best: Candidate | undefined
    let bestScore = -1
    for (const candidate of candidates) {
      if (candidate.taken) continue
      const score = scoreOf(candidate)
      if (score <= bestScore) continue
      best = candidate
      bestScore = score
    }
    best!.taken = true
    chosen.push(choiceOf(best!))
    for (let need = 0; need < left.length; need++) left[need]! *= 1 - MET_SHARE * best!.needs[need]!
  }
  const choices = [...chosen, ...byScore(candidates.filter(({ taken }) => !taken))]
  return choices.length < limit
    ? [...choices, ...others(choices)].slice(0, limit)
    : choices.slice(0, limit)

  function others(choices: readonly Choice[]): Choice[] {
    const known = new Set(candidates.map(({ tool }) => tool))
    const least = choices.at(-1)?.score ?? 0
    return byScore(gather(whole, needs).filter(({ tool }) => !known.has(tool))).map((choice) =>
      atMost(choice, least),
    )
  }

  function byScore(candidates: readonly Candidate[]): Choice[] {
    return candidates.map(choiceOf).sort((a, b) => b.score - a.score)
  }

  function scoreOf({ whole, needs }: Candidate): number {
    let most = 0
    for (let need = 0; need < left.length; need++) most = Math.max(most, left[need]! * needs[need]!)
    return WHOLE_SHARE * whole + (1 - WHOLE_SHARE) * most
  }

  function choiceOf(candidate: Candidate): Choice {
    let need = -1
    let most = 0
    for (let at = 0; at < left.length; at++) {
      const share = left[at]! * candidate.needs[at]!
      if (share > most) [need, most] = [at, share]
    }
    const ofNeed = need < 0 ? 0 : ((1 - WHOLE_SHARE) * left[need]! * scale) / bests[need]!
    const { tool } = candidate
    const isBestForNeed = needs.some(({ hits }) => hits[0]?.tool === tool)
    const score = scoreOf(candidate) * scale
    return { tool, score, isBestForNeed, ofWhole: WHOLE_SHARE, need, ofNeed }
  }
}

/** The same choice with no more than this score. */
function atMost(choice: Choice, most: number): Choice {
  const { score, ofWhole, ofNeed } = choice
  if (score <= most) return choice
  const share = most / score
  return { ...choice, score: most, ofWhole: ofWhole * share, ofNeed: ofNeed * share }
}

/** In the order of the rankings, so that equal scores keep it. */
function gather(whole: Ranking, needs: readonly Ranking[]): readonly Candidate[] {
  const candidates = new Map<Tool, Candidate>()
  for (const { tool, score } of whole.hits) add(tool).whole = score / bestOf(whole)
  needs.forEach((ranking, need) => {
    for (const { tool, score } of ranking.hits) add(tool).needs[need] = score / bestOf(ranking)
  })
  return [...candidates.values()]

  function add(tool: Tool): Candidate {
    let candidate = candidates.get(tool)
    if (candidate === undefined) {
      candidate = { tool, whole: 0, needs: needs.map(() => 0), taken: false }
      candidates.set(tool, candidate)
    }
    return candidate
  }
}

/** 1 for a ranking without hits, so that dividing by it is safe. */
function bestOf({ hits }: Ranking): number {
  return hits[0]?.score || 1
}
