/** The parts of a Chat Completions request that are read here, all loosely. */
export interface ChatBody {
  model?: string
  messages?: readonly WireMessage[]
  tools?: readonly WireTool[]
  tool_choice?:
    | string
    | {
        type: string
        function?: { name?: string }
        allowed_tools?: { tools?: readonly WireTool[] }
      }
  parallel_tool_calls?: boolean
  stream_options?: { include_usage?: boolean } | null
}

export interface WireMessage {
  role: string
  content?: unknown
  tool_calls?: readonly ProviderCall[]
  tool_call_id?: string
}

interface ProviderCall {
  id: string
  type?: string
  function?: { name?: string; arguments?: unknown }
}

interface WireTool {
  type: string
  function?: { name?: string; description?: string; parameters?: unknown }
}
