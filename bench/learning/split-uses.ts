import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { useTerms } from '../../packages/toolsearch/src/learning/use-words.ts'
import { pickEvenly } from '../evaluation/tuning-sets.ts'

export interface SplitUses<Query> {
  readonly first: readonly Query[]
  readonly second: readonly Query[]
}

/**
 * Divides requests in two, so that each tool has requests in both halves if it has two or more. Of
 * requests with the same words, in any order and with any endings, only one is kept.
 *
 * @param count how many requests both halves may have together
 * @param perTool how many requests of one tool
 */
export function splitUses<Query extends EvaluationQuery>(
  queries: readonly Query[],
  { count, perTool }: { readonly count: number; readonly perTool: number },
): SplitUses<Query> {
  const byWords = new Map(
    queries.map((query) => [[...useTerms(query.query)].sort().join(' '), query]),
  )
  const byTool = new Map<string, Query[]>()
  for (const query of byWords.values()) {
    const [label] = labelsOf(query)
    if (label === undefined) continue
    const [tool] = [...label].sort()
    byTool.set(tool!, [...(byTool.get(tool!) ?? []), query])
  }
  // A tool with one request tells nothing about learning.
  const groups = [...byTool.values()].filter((group) => group.length > 1)
  const kept = groups.map((group) => pickEvenly(group, perTool))
  const mean = kept.reduce((sum, group) => sum + group.length, 0) / Math.max(kept.length, 1)
  const chosen = pickEvenly(kept, Math.ceil(count / Math.max(mean, 1)))
  const half = (rest: number) => chosen.flatMap((group) => group.filter((_, at) => at % 2 === rest))
  return { first: half(0), second: half(1) }
}
