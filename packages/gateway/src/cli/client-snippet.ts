import { gatewayProgram } from '../clients/gateway-entry.ts'

export interface SnippetOptions {
  readonly configFile: string
  /** Absent for stdio. */
  readonly url?: string | undefined
  readonly hasToken: boolean
}

/** The entry for a client's configuration. Contains a placeholder instead of the token. */
export function clientSnippet({ configFile, url, hasToken }: SnippetOptions): string {
  const headers = { Authorization: 'Bearer YOUR_TOOLSEARCH_TOKEN' }
  const toolsearch =
    url === undefined ? gatewayProgram(configFile) : { url, ...(hasToken && { headers }) }
  return JSON.stringify({ mcpServers: { toolsearch } }, null, 2)
}
