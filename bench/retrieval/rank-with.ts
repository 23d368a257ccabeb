import type { CreateSearch } from '../evaluation/rankers.ts'
import type { Rank } from './contender.ts'
import { rankBySearch } from './rank-by-search.ts'

/** Measures one of the searches of `npm run eval`. */
export function rankWith(createSearch: CreateSearch): Rank {
  return rankBySearch(async (tools, limit) => {
    const search = await createSearch(tools)
    return (query) => {
      const names = search(query, limit)
      return names instanceof Promise ? names.then((found) => ({ names: found })) : { names }
    }
  })
}
