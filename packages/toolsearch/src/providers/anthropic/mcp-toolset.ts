/** An entry of `tools` that lets Anthropic's MCP connector bring a server's tools. */
export interface AnthropicToolset {
  type: 'mcp_toolset'
  mcp_server_name: string
  default_config: { defer_loading: boolean }
  configs?: Record<string, { defer_loading?: boolean; enabled?: boolean }>
}

export const TOOLSET_BETA = 'mcp-client-2025-11-20'

export interface McpToolsetOptions {
  /** The name under which `mcp_servers` has it. */
  server: string
  /**
   * Tools of it that the model sees from the start.
   * @default []
   */
  alwaysLoad?: readonly string[]
  /**
   * Tools of it that the model is not to have.
   * @default []
   */
  deny?: readonly string[]
}

/** A server's tools, deferred, for those who let Anthropic connect to it. */
export function mcpToolset({
  server,
  alwaysLoad = [],
  deny = [],
}: McpToolsetOptions): AnthropicToolset {
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
