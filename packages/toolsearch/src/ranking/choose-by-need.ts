import type { Tool } from '../catalogue/tool.ts'
import type { Ranking, ScoredTool } from './ranker.ts'

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
 * only how many tools are returned: those of `whole` that are not candidates come last.
 */
export function chooseByNeed(whole: Ranking, needs: readonly Ranking[], limit: number): Choice[] {
  const candidates = gather(whole, needs)
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
  const rest = candidates.filter(({ taken }) => !taken).map(choiceOf)
  const choices = [...chosen, ...rest.sort((a, b) => b.score - a.score)]
  const known = new Set(candidates.map(({ tool }) => tool))
  const others = whole.hits.filter(({ tool }) => !known.has(tool))
  const least = choices.at(-1)?.score ?? 0
  return [...choices, ...others.map(otherChoice)].slice(0, limit)

  function otherChoice({ tool, score }: ScoredTool): Choice {
    const ofWhole = Math.min(WHOLE_SHARE, least / score)
    return { tool, score: ofWhole * score, isBestForNeed: false, ofWhole, need: -1, ofNeed: 0 }
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

/** In the order of the rankings, so that equal scores keep it. */
function gather(whole: Ranking, needs: readonly Ranking[]): readonly Candidate[] {
  const candidates = new Map<Tool, Candidate>()
  for (const { tool, score } of whole.hits.slice(0, WHOLE_DEPTH)) {
    add(tool).whole = score / bestOf(whole)
  }
  needs.forEach((ranking, need) => {
    for (const { tool, score } of ranking.hits.slice(0, NEED_DEPTH)) {
      add(tool).needs[need] = score / bestOf(ranking)
    }
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
