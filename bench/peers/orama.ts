import { create, insertMultiple, search } from '@orama/orama'
import type { Rank } from '../retrieval/contender.ts'
import { rankBySearch } from '../retrieval/rank-by-search.ts'
import { toolDocument } from './tool-document.ts'

/** Orama with its defaults. */
export const rank: Rank = rankBySearch(async (tools, limit) => {
  const index = create({ schema: { name: 'string', description: 'string', parameters: 'string' } })
  await insertMultiple(index, tools.map(toolDocument))
  return async (term) => {
    const { hits } = await search(index, { term, limit })
    return { names: hits.map(({ id }) => id) }
  }
})
