/** The parts of a Responses request that are read here, all loosely. */
export interface ResponsesBody {
  model?: string
  input?: string | readonly WireItem[]
  instructions?: string | null
  tools?: readonly WireTool[]
  tool_choice?: string | { type: string; name?: string; tools?: readonly WireTool[] }
  previous_response_id?: string | null
  store?: boolean | null
  conversation?: unknown
}

/** Any input item; which fields are there depends on its type. */
export interface WireItem {
  type?: string
  role?: string
  content?: unknown
  id?: string
  call_id?: string | null
  name?: string
  namespace?: string
  execution?: string
  arguments?: unknown
  tools?: readonly WireTool[]
}

export interface WireTool {
  type: string
  name?: string
  description?: string
  parameters?: unknown
  defer_loading?: boolean
  execution?: string
  /** What a namespace holds. */
  tools?: readonly WireTool[]
}
