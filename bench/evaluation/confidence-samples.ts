import type { Tool } from 'toolsearch'
import type { Ranker } from 'toolsearch/rankers'
import {
  type EvaluationQuery,
  labelsOf,
} from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import type { Half } from '../data/halves.ts'
import { collectFeatures, type Features } from './collect-features.ts'
import type { SimilarTools } from './similar-tools.ts'
import { pickEvenly, type TuningSet } from './tuning-sets.ts'

/**
 * - `served`: a query with relevant tools
 * - `hidden`: such a query without its relevant tools and all similar ones
 * - `foreign`: a query of another set that no tool of this one serves
 * - `none`: a query that is labelled as having no relevant tool
 */
export type SampleKind = 'served' | 'hidden' | 'foreign' | 'none'

/** One search, and whether a relevant tool is among its first five. */
export interface Sample {
  readonly set: string
  readonly half: Half
  readonly kind: SampleKind
  readonly isRight: boolean
  /** Absent if the search found nothing. */
  readonly features?: Features
}

export interface SampleOptions {
  readonly create: (set: TuningSet) => Ranker
  readonly similar: SimilarTools
  /** The share of `hidden` and `foreign` samples among all but `none`. */
  readonly unservedShare: number
  readonly report?: (step: string) => void
}

/** Runs the queries of each set, and as many queries without a relevant tool as the share asks for. */
export function collectSamples(sets: readonly TuningSet[], options: SampleOptions): Sample[] {
  const { create, similar, unservedShare, report } = options
  return sets.flatMap((set) => {
    report?.(set.name)
    const ranker = create(set)
    const count = Math.round((set.queries.length * unservedShare) / (1 - unservedShare) / 2)
    // The other half must not take part in fitting, not even with its queries.
    const others = sets.filter((other) => other !== set && other.half === set.half)
    return [
      ...set.queries.map((query) => sample('served', query)),
      ...pickEvenly(set.queries, count).map((query) => sample('hidden', query, hiding(query))),
      ...foreignQueries(count).map((query) => sample('foreign', query)),
      ...set.unserved.map((query) => sample('none', query)),
    ]

    function sample(
      kind: SampleKind,
      query: EvaluationQuery,
      accepts?: (tool: Tool) => boolean,
    ): Sample {
      const { names, features } = collectFeatures(ranker, query.query, accepts)
      const isRight =
        kind === 'served' && labelsOf(query).some((label) => names.some((name) => label.has(name)))
      return { set: set.name, half: set.half, kind, isRight, ...(features && { features }) }
    }

    function hiding(query: EvaluationQuery): (tool: Tool) => boolean {
      const relevant = relevantTools(set, query)
      const hidden = new Set(set.tools.filter((tool) => similar.isLike(tool, relevant)))
      return (tool) => !hidden.has(tool)
    }

    function foreignQueries(wanted: number): readonly EvaluationQuery[] {
      // Some of them turn out to be served by a tool of this set.
      const candidates = others.flatMap((other) =>
        pickEvenly(other.queries, Math.ceil((3 * wanted) / others.length)).filter(
          (query) => !isServedHere(relevantTools(other, query)),
        ),
      )
      return pickEvenly(candidates, wanted)
    }

    function isServedHere(relevant: readonly Tool[]): boolean {
      return set.tools.some((tool) => similar.isLike(tool, relevant))
    }
  })
}

function relevantTools({ tools }: TuningSet, query: EvaluationQuery): Tool[] {
  const names = new Set(labelsOf(query).flatMap((label) => [...label]))
  return tools.filter(({ name }) => names.has(name))
}
