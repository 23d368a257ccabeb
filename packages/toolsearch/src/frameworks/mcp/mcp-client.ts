/** What we use of a connected `Client` of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/client`. */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: object): Promise<McpToolPage>
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    ...rest: never[]
  ): Promise<unknown>
  getServerCapabilities(): { tools?: { listChanged?: boolean | undefined } | undefined } | undefined
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined
  onclose?: (() => void) | undefined
  /** Only in SDK 2. */
  getProtocolEra?(): string | undefined
  /** Only in SDK 2, on connections with protocol version 2026-07-28 or later. */
  listen?(filter: { toolsListChanged?: boolean }): Promise<McpSubscription>
}

export interface McpToolPage {
  readonly tools: readonly { readonly name: string }[]
  readonly nextCursor?: string | undefined
}

export interface McpSubscription {
  readonly closed: Promise<string>
  close(): Promise<void>
}

/** A message about the progress of a call. */
export interface McpProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** The options of a request, in both SDKs. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly resetTimeoutOnProgress?: boolean
  readonly onprogress?: (progress: McpProgress) => void
}

/** Calls a tool with either SDK: the first version takes a result schema before the options. */
export function callMcpTool(
  client: McpClient,
  params: { name: string; arguments: Record<string, unknown> },
  options: McpRequestOptions,
): Promise<unknown> {
  const call = client.callTool.bind(client) as (...args: unknown[]) => Promise<unknown>
  return client.listen === undefined ? call(params, undefined, options) : call(params, options)
}

/** So that a server that always returns another cursor does not keep us busy forever. */
const MAX_PAGES = 1_000

/** All pages. Rejects if there are more than `MAX_PAGES`. */
export async function listMcpTools(client: McpClient): Promise<McpToolPage['tools']> {
  // SDK 2 would otherwise return a list from its cache.
  const options = { cacheMode: 'refresh' }
  const seen = new Set<string>()
  const first = await client.listTools(undefined, options)
  const tools = [...first.tools]
  let { nextCursor } = first
  // A server that repeats a cursor would never end.
  while (nextCursor !== undefined && !seen.has(nextCursor)) {
    seen.add(nextCursor)
    if (seen.size >= MAX_PAGES) throw new Error(`the list has more than ${MAX_PAGES} pages.`)
    const page = await client.listTools({ cursor: nextCursor }, options)
    tools.push(...page.tools)
    nextCursor = page.nextCursor
  }
  return tools
}
