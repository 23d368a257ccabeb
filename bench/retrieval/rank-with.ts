import type { EvaluatedSearch } from 'toolsearch/evaluation'
import type { CreateSearch } from '../evaluation/rankers.ts'
import type { Rank } from './contender.ts'
import { rankBySearch } from './rank-by-search.ts'

/** Measures one of the searches of `npm run eval`. */
export function rankWith(createSearch: CreateSearch): Rank {
  return rankBySearch(async (tools, limit) => {
    const search = await createSearch(tools)
    return (query) => {
      const found = search(query, limit)
      return found instanceof Promise ? found.then(namesOf) : namesOf(found)
    }
  })
}

type Found = Awaited<ReturnType<EvaluatedSearch>>

function namesOf(found: Found): { readonly names: readonly string[] } {
  return 'names' in found ? { names: found.names } : { names: found }
}
