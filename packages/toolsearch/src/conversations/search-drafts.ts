import type { Draft, FoundTool } from './conversation.ts'

interface Search {
  readonly id: string
  readonly searchTool: string
  readonly query: string
  readonly at: number
}

/** A search that a provider ran itself, as a call to the search tool and its result. */
export function searchDrafts(search: Search, found: readonly FoundTool[]): [Draft, Draft] {
  const { id, searchTool, query, at } = search
  return [
    {
      role: 'assistant',
      parts: [{ type: 'call', id, name: searchTool, arguments: { query } }],
      at,
    },
    { role: 'tool', parts: [{ type: 'result', callId: id, parts: [], isError: false, found }], at },
  ]
}

/** Tools that a conversation was given, as a search that found them. */
export function additionDrafts(
  search: Omit<Search, 'query'>,
  added: readonly FoundTool[],
): [Draft, Draft] {
  const names = added.map((tool) => (typeof tool === 'string' ? tool : tool.name))
  return searchDrafts({ ...search, query: `select:${names.join(',')}` }, added)
}
