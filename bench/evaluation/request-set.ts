import { join } from 'node:path'
import { createToolSearch } from 'toolsearch'
import { readManifests } from '../../testing/manifests/read-manifests.ts'
import { readQueries } from '../data/read-queries.ts'
import type { EvaluationSet } from './evaluation-set.ts'
import { type Half, splitHalves } from './split-halves.ts'

/** Requests for the tools of published servers, with their labels. `bench/README.md` describes them. */
export const REQUESTS: string = join(import.meta.dirname, 'requests.jsonl')

/**
 * The requests and the tools of every published server in `testing/manifests`.
 *
 * @param half only the requests of this half; without it, all of them
 */
export function requestSet(half?: Half): EvaluationSet {
  const { catalogue } = createToolSearch({ tools: readManifests() })
  const queries = readQueries([REQUESTS])
  const halves = splitHalves(queries)
  return {
    tools: catalogue.tools(),
    queries: queries.filter(({ query }) => half === undefined || halves.get(query) === half),
  }
}
