import { toAnswer } from '../../packages/toolsearch/src/evaluation/evaluated-search.ts'
import type { CreateSearch } from '../evaluation/rankers.ts'
import type { Rank } from './contender.ts'
import { rankBySearch } from './rank-by-search.ts'

/** Measures one of the searches of `npm run bench -- eval`. */
export function rankWith(createSearch: CreateSearch): Rank {
  return rankBySearch(async (tools, limit) => {
    const search = await createSearch(tools)
    return (query) => {
      const answer = search(query, limit)
      return answer instanceof Promise ? answer.then(toAnswer) : toAnswer(answer)
    }
  })
}
