import { createSearchLab } from '../inspection/search-lab.ts'
import type { SearchReportRequest } from '../inspection/search-report.ts'
import type { Gateway } from '../offering/gateway.ts'
import { UsageError } from './usage-error.ts'

export const rankerOption = { ranker: { type: 'string' } } as const

export const rankerHelp =
  '--ranker ID        ranker to use instead of the configured one: unified, hybrid, bm25, …'

/** The search with the ranker that `--ranker` names, or with the configured one. @throws UsageError */
export async function chooseRanker(
  gateway: Gateway,
  id: unknown,
): Promise<Pick<SearchReportRequest, 'ranker' | 'toolSearch'>> {
  if (typeof id !== 'string') return { ranker: 'serving', toolSearch: gateway.toolSearch }
  const lab = createSearchLab(gateway)
  const search = await lab.toolSearch(id)
  if (search) return search
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new UsageError(`There is no ranker "${id}". Available rankers: ${ids.join(', ')}.`)
}
