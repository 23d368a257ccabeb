/** A tool of LangChain, as far as we read it: `tool()`, `StructuredTool`, tools of MCP adapters. */
export interface LangChainTool {
  readonly name: string
  readonly description: string
  /** A schema of Zod or JSON Schema. */
  readonly schema: unknown
  /** `defer_loading` determines whether the tool is hidden. */
  readonly extras?: Readonly<Record<string, unknown>> | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  invoke(input: LangChainToolCall, config?: object): Promise<unknown>
}

export interface LangChainToolCall {
  readonly type?: 'tool_call'
  readonly id?: string
  readonly name: string
  // LangChain's own type
  // biome-ignore lint/suspicious/noExplicitAny: the arguments can be anything
  readonly args: Record<string, any>
}

/** The settings of a run that LangChain passes to middleware, and LangGraph to nodes. */
export interface LangChainRun {
  readonly configurable?: { readonly thread_id?: string; readonly [key: string]: unknown }
  /** LangChain passes only the part that the `contextSchema` of a middleware describes. */
  readonly context?: unknown
  readonly signal?: AbortSignal
  /** A `CallbackManager`, or anything else that LangChain accepts as callbacks. */
  readonly callbacks?: unknown
}

export interface LangChainMessage {
  readonly id?: string | undefined
  readonly type: string
  readonly tool_calls?: readonly LangChainToolCall[] | undefined
  readonly tool_call_id?: string | undefined
  readonly usage_metadata?: { readonly total_tokens: number } | undefined
}

/** A message that LangGraph's message reducer turns into an object of LangChain. */
export interface NewUserMessage {
  readonly role: 'user'
  readonly content: string
  /** Marks the message for programs that show the conversation to people. */
  readonly additional_kwargs: { readonly lc_source: 'toolsearch' }
}
