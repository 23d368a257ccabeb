import { gatewayProgram } from '../clients/gateway-entry.ts'

export interface SnippetOptions {
  readonly configFile: string
  /** Absent for stdio. */
  readonly url?: string | undefined
  readonly hasToken: boolean
  /** Whether a gateway over stdio has an inspector. @default false */
  readonly isInspected?: boolean
}

/** The entry for a client's configuration. Contains a placeholder instead of the token. */
export function clientSnippet(options: SnippetOptions): string {
  const { configFile, url, hasToken, isInspected = false } = options
  const headers = { Authorization: 'Bearer YOUR_TOOLSEARCH_TOKEN' }
  const { command, args } = gatewayProgram(configFile)
  const toolsearch =
    url === undefined
      ? { command, args: isInspected ? [...args, '--inspect'] : args }
      : // Claude Code and VS Code need the type.
        { type: 'http', url, ...(hasToken && { headers }) }
  return JSON.stringify({ mcpServers: { toolsearch } }, null, 2)
}
