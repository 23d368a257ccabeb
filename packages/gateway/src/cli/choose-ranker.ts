import type { ToolSearch } from 'toolsearch'
import { createSearchLab } from '../inspection/search-lab.ts'
import type { Gateway } from '../offering/gateway.ts'
import { UsageError } from './usage-error.ts'

/** The search by the ranker that a command line names, or by the one that serves. @throws UsageError */
export async function chosenSearch(gateway: Gateway, ranker: unknown): Promise<ToolSearch> {
  if (typeof ranker !== 'string') return gateway.toolSearch
  const lab = createSearchLab(gateway)
  const found = await lab.toolSearch(ranker)
  if (found) return found.toolSearch
  const ids = (await lab.rankers()).map(({ id }) => id)
  throw new UsageError(`There is no ranker "${ranker}". There are ${ids.join(', ')}.`)
}
