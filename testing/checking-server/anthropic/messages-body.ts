/**
 * The parts of a Messages request that are read here, all loosely: a request under test may be
 * wrong in any of them.
 */
export interface MessagesBody {
  model?: string
  max_tokens?: number
  messages?: readonly WireMessage[]
  system?: string | readonly WireBlock[]
  tools?: readonly WireTool[]
  tool_choice?: { type: string; name?: string }
  mcp_servers?: readonly { name: string }[]
}

export interface WireMessage {
  role: string
  content?: string | readonly WireBlock[]
  clear_at?: string | null
  output_config?: unknown
}

/** Any content block; which fields are there depends on its type. */
export interface WireBlock {
  type: string
  text?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: string | readonly WireBlock[] | { tool_references?: readonly WireBlock[] }
  tool_name?: string
  /** What a `tool_addition` or `tool_removal` is about. */
  tool?: { type: string; name?: string; server_name?: string; definition?: WireTool }
}

export interface WireTool {
  type?: string | null
  name?: string
  description?: string
  input_schema?: Record<string, unknown>
  defer_loading?: boolean
  cache_control?: unknown
  mcp_server_name?: string
  default_config?: { defer_loading?: boolean }
}
