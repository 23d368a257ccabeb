import { gatewayEntry } from '../import/gateway-entry.ts'

/** What to put into a client's configuration to reach the gateway, at an address or over stdio. */
export function clientSnippet(configFile: string, url?: string): string {
  const toolsearch = url === undefined ? gatewayEntry(configFile) : { url }
  return JSON.stringify({ mcpServers: { toolsearch } }, null, 2)
}
