/** The fields of a Responses request that the checks read. Any of them may be missing. */
export interface ResponsesBody {
  model?: string
  input?: string | readonly Item[]
  instructions?: string | null
  tools?: readonly Tool[]
  tool_choice?: string | { type: string; name?: string; tools?: readonly Tool[] }
  previous_response_id?: string | null
  store?: boolean | null
  conversation?: unknown
}

/** Any input item. Its fields depend on its type. */
export interface Item {
  type?: string
  role?: string
  content?: unknown
  id?: string
  call_id?: string | null
  name?: string
  namespace?: string
  execution?: string
  arguments?: unknown
  /** The input of a custom tool call. */
  input?: unknown
  output?: unknown
  status?: string
  caller?: unknown
  encrypted_content?: unknown
  tools?: readonly Tool[]
}

export interface Tool {
  type: string
  name?: string
  description?: string
  parameters?: unknown
  strict?: boolean | null
  allowed_callers?: readonly string[] | null
  output_schema?: unknown
  defer_loading?: boolean
  execution?: string
  /** The functions of a namespace. */
  tools?: readonly Tool[]
}

/** Whether a tool, or any function of a namespace, is deferred. */
export function isDeferred({ defer_loading, tools = [] }: Tool): boolean {
  return defer_loading === true || tools.some(isDeferred)
}

/** The items of the input; none if the input is a string. */
export function itemsOf({ input }: ResponsesBody): readonly Item[] {
  return Array.isArray(input) ? (input as Item[]) : []
}

/**
 * The items that the model reads: those from the last compaction on. It replaces everything before
 * it, including the definitions of tools.
 */
export function readItems(body: ResponsesBody): readonly Item[] {
  const items = itemsOf(body)
  return items.slice(
    Math.max(
      0,
      items.findLastIndex(({ type }) => type === 'compaction'),
    ),
  )
}

/** A list of tools with its path: `tools` or `input[3].tools`. */
export interface ToolList {
  param: string
  tools: readonly Tool[]
}

/** Every tool list in a request: the declared one and those of items. */
export function toolLists(body: ResponsesBody): ToolList[] {
  return [
    { param: 'tools', tools: body.tools ?? [] },
    ...itemsOf(body).flatMap(({ tools }, index) =>
      Array.isArray(tools) ? [{ param: `input[${index}].tools`, tools }] : [],
    ),
  ]
}
