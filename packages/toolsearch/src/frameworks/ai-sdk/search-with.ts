import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'

/** The argument that the SDK passes to the `search` option of its own `toolSearch()`. */
export interface SdkSearchRequest {
  readonly query: string
  readonly tools: readonly { readonly name: string; readonly description?: string }[]
}

/**
 * Our search for the AI SDK's own `toolSearch()`. Returns the names of matching tools, best first. It
 * finds only tools of the request, but also matches what the catalogue knows about them.
 *
 * @example
 * toolSearch({ search: searchWith(createToolSearch()) })
 */
export function searchWith(
  toolSearch: ToolSearch,
): (request: SdkSearchRequest) => Promise<string[]> {
  const { preset, catalogue } = toolSearch
  const { rateLimit: _, ...unlimited } = preset
  // A separate index, so that the tools of one request do not show up in other conversations.
  const index = createToolSearch({
    preset: {
      ...unlimited,
      loading: 'none',
      // the SDK passes the query itself
      readArguments: (query, { maxLimit }) => ({ query: String(query), limit: maxLimit }),
    },
  })
  let latest: Promise<unknown> = Promise.resolve()

  return (request) => {
    // One search at a time, because each search changes the index.
    const names = latest.then(() => search(request))
    latest = names.catch(() => {})
    return names
  }

  async function search({ query, tools }: SdkSearchRequest): Promise<string[]> {
    const names = new Set(tools.map(({ name }) => name))
    index.catalogue.remove(
      index.catalogue
        .tools()
        .map(({ name }) => name)
        .filter((name) => !names.has(name)),
    )
    index.catalogue.add(
      tools.map((tool) => ({ ...catalogue.get(tool.name), ...tool })),
      { duplicates: 'replace' },
    )
    const session = await index.session('search')
    const { outcome } = await session.search(query, { loadsCandidates: true })
    return outcome.hits.map(({ tool }) => tool.name)
  }
}
