/** The parts of a Responses request that are read here, all loosely. */
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

/** Any input item; which fields are there depends on its type. */
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
  tools?: readonly Tool[]
}

export interface Tool {
  type: string
  name?: string
  description?: string
  parameters?: unknown
  defer_loading?: boolean
  execution?: string
  /** What a namespace holds. */
  tools?: readonly Tool[]
}

/** Whether a tool, or one in the namespace it is, waits for a search. */
export function isDeferred({ defer_loading, tools = [] }: Tool): boolean {
  return defer_loading === true || tools.some(isDeferred)
}

/** The items of the input; a plain string is a user's message and no item of interest. */
export function itemsOf({ input }: ResponsesBody): readonly Item[] {
  return Array.isArray(input) ? (input as Item[]) : []
}

/** A list of tools and where it is: `tools`, or `input[3].tools`. */
export interface ToolList {
  param: string
  tools: readonly Tool[]
}

/** Every list of tools in a request: the declared one and those that items bring. */
export function toolLists(body: ResponsesBody): ToolList[] {
  return [
    { param: 'tools', tools: body.tools ?? [] },
    ...itemsOf(body).flatMap(({ tools }, index) =>
      Array.isArray(tools) ? [{ param: `input[${index}].tools`, tools }] : [],
    ),
  ]
}
