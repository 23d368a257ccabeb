/** The fields of a Chat Completions request that the checks read. Any of them may be missing. */
export interface ChatBody {
  model?: string
  messages?: readonly Message[]
  tools?: readonly Tool[]
  tool_choice?:
    | string
    | {
        type: string
        function?: { name?: string }
        allowed_tools?: { tools?: readonly Tool[] }
      }
  parallel_tool_calls?: boolean
  stream_options?: { include_usage?: boolean } | null
}

export interface Message {
  role: string
  content?: unknown
  tool_calls?: readonly Call[]
  tool_call_id?: string
}

interface Call {
  id: string
  type?: string
  function?: { name?: string; arguments?: unknown }
}

export interface Tool {
  type: string
  defer_loading?: boolean
  function?: {
    name?: string
    description?: string
    parameters?: unknown
    strict?: boolean | null
    defer_loading?: boolean
  }
}

/** Whether the model sees a tool only after a search. The mark is on the tool or on its function. */
export function isDeferred({ defer_loading, function: definition }: Tool): boolean {
  return defer_loading === true || definition?.defer_loading === true
}
