import { MAX_OMITTED } from './by-prefix.ts'
import type { Finder } from './finder.ts'
import { omitted, toHit } from './hits.ts'

/** A query without words is an error. */
export const rejectBlank: Finder = ({ query }) => {
  if (query.kind !== 'blank') return undefined
  const problem = query.text === '' ? 'The query cannot be empty.' : 'The query has no words.'
  const message = `${problem} Describe in a few words what the tool should do.`
  return { form: 'blank', hits: [], problem: { code: 'blank_query', message } }
}

/** A query without words finds nothing. The result format can list names. */
export const ignoreBlank: Finder = ({ query }) =>
  query.kind === 'blank' ? { form: 'blank', hits: [] } : undefined

/** A query without words finds the first tools, which are loaded. */
export const browse: Finder = ({ query, limit }, view) => {
  if (query.kind !== 'blank') return undefined
  const more = view.beyond?.('') ?? 0
  const tools = view.tools()
  const hits = tools.slice(0, limit).map((tool) => toHit(view, { tool, score: 0 }))
  const rest = tools.slice(limit, limit + MAX_OMITTED).map(({ name }) => name)
  return { form: 'browse', hits, omitted: omitted(rest, tools.length + more - hits.length) }
}
