import { gatewayEntry } from '../clients/gateway-entry.ts'

export interface SnippetOptions {
  readonly configFile: string
  /** Left out for stdio. */
  readonly url?: string | undefined
  readonly hasToken: boolean
}

/** What to put into a client's configuration to reach the gateway. The token itself is not in it. */
export function clientSnippet({ configFile, url, hasToken }: SnippetOptions): string {
  const headers = { Authorization: 'Bearer YOUR_TOOLSEARCH_TOKEN' }
  const toolsearch =
    url === undefined ? gatewayEntry(configFile) : { url, ...(hasToken && { headers }) }
  return JSON.stringify({ mcpServers: { toolsearch } }, null, 2)
}
