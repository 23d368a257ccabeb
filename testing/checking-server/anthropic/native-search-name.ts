const NATIVE_SEARCH = /^(tool_search_tool_(?:bm25|regex))(?:_20251119)?$/

/** The only name the service's own search tool of this type may have; none for other types. */
export function nativeSearchName(type: string | null | undefined): string | undefined {
  return NATIVE_SEARCH.exec(type ?? '')?.[1]
}
