import { complete, name, names } from '../../options/check-option.ts'

/** An entry of `tools` that adds the tools of a server through Anthropic's MCP connector. */
export interface AnthropicToolset {
  type: 'mcp_toolset'
  mcp_server_name: string
  default_config: { defer_loading: boolean }
  configs?: Record<string, { defer_loading?: boolean; enabled?: boolean }>
}

export const TOOLSET_BETA = 'mcp-client-2025-11-20'

export interface McpToolsetOptions {
  /** The server's name in `mcp_servers`. */
  server: string
  /**
   * Tools of the server that are never deferred.
   * @default []
   */
  alwaysLoad?: readonly string[]
  /**
   * Tools of the server that are disabled.
   * @default []
   */
  deny?: readonly string[]
}

const checkToolset = complete({ server: name, alwaysLoad: names, deny: names }, [
  'alwaysLoad',
  'deny',
])

/** Adds a server that Anthropic connects to, with deferred tools. */
export function mcpToolset(options: McpToolsetOptions): AnthropicToolset {
  checkToolset(options, 'options')
  const { server, alwaysLoad = [], deny = [] } = options
  const configs = Object.fromEntries([
    ...alwaysLoad.map((name) => [name, { defer_loading: false }] as const),
    ...deny.map((name) => [name, { enabled: false }] as const),
  ])
  return {
    type: 'mcp_toolset',
    mcp_server_name: server,
    default_config: { defer_loading: true },
    ...(Object.keys(configs).length > 0 && { configs }),
  }
}
