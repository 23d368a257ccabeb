import { createToolSearch, type ToolSearch } from '../../toolsearch.ts'

/** What the SDK passes to the `search` of its own `toolSearch()`. */
export interface SdkSearchRequest {
  readonly query: string
  readonly tools: readonly { readonly name: string; readonly description?: string }[]
}

/**
 * Our search for the AI SDK's own `toolSearch()`: the names of the tools that fit, best first. Only
 * tools of the request are found; what the catalogue knows of them besides counts as well.
 *
 * @example
 * toolSearch({ search: searchWith(createToolSearch()) })
 */
export function searchWith(
  toolSearch: ToolSearch,
): (request: SdkSearchRequest) => Promise<string[]> {
  const { preset, catalogue } = toolSearch
  const { rateLimit: _, ...unlimited } = preset
  // an index of its own: what one request brings is no business of other conversations
  const own = createToolSearch({
    preset: {
      ...unlimited,
      loading: 'none',
      selection: { ...preset.selection, defaultLimit: preset.selection.maxLimit },
    },
  })
  let latest: Promise<unknown> = Promise.resolve()

  return (request) => {
    const found = latest.then(() => search(request))
    latest = found.catch(() => {})
    return found
  }

  async function search({ query, tools }: SdkSearchRequest): Promise<string[]> {
    const names = new Set(tools.map(({ name }) => name))
    own.catalogue.remove(
      own.catalogue
        .tools()
        .map(({ name }) => name)
        .filter((name) => !names.has(name)),
    )
    own.catalogue.add(
      tools.map((tool) => ({ ...catalogue.get(tool.name), ...tool })),
      { duplicates: 'replace' },
    )
    const session = await own.session('search')
    const { outcome } = await session.search({ query })
    return outcome.hits.map(({ tool }) => tool.name)
  }
}
