import type { SearchReportRequest } from '../inspection/search-report.ts'
import type { Gateway } from '../offering/gateway.ts'
import { UsageError } from './command-errors.ts'

/** Checks the value of `--ranker` before anything connects. @throws UsageError */
export async function checkRanker(id: unknown): Promise<void> {
  if (typeof id !== 'string') return
  const { KNOWN_RANKERS } = await import('../inspection/known-rankers.ts')
  const ids = [...KNOWN_RANKERS.map((ranker) => ranker.id), 'serving']
  if (!ids.includes(id)) throw new UsageError(noSuchRanker(id, ids))
}

/** The search with the ranker that `--ranker` names, or with the configured one. @throws UsageError */
export async function chooseRanker(
  gateway: Gateway,
  id: unknown,
): Promise<Pick<SearchReportRequest, 'ranker' | 'toolSearch'>> {
  const serving = { ranker: 'serving', toolSearch: gateway.toolSearch }
  if (typeof id !== 'string' || id === 'serving') return serving
  const { createSearchLab } = await import('../inspection/search-lab.ts')
  const lab = createSearchLab(gateway)
  const search = await lab.toolSearch(id)
  if (search) return search
  const ids = (await lab.rankers()).map((ranker) => ranker.id)
  throw new UsageError(noSuchRanker(id, ids))
}

function noSuchRanker(id: string, ids: readonly string[]): string {
  return `There is no ranker "${id}". Available rankers: ${ids.join(', ')}.`
}
