/** A tool of Mastra, as far as we read it: the result of `createTool`, or a tool of an MCP client. */
export interface MastraTool {
  readonly id: string
  readonly description?: string | undefined
  readonly inputSchema?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: every tool has its own input and context
  execute?: ((input: any, context: any) => Promise<unknown>) | undefined
  /** A flag, or a function of the input. */
  readonly requireApproval?: unknown
  /** Mastra's own form of a `requireApproval` that is a function. */
  // biome-ignore lint/suspicious/noExplicitAny: every tool has its own input and context
  readonly needsApprovalFn?: ((input: any, context?: any) => unknown) | undefined
  // biome-ignore lint/suspicious/noExplicitAny: every tool has its own output
  readonly toModelOutput?: ((output: any) => unknown) | undefined
  readonly mcp?: { readonly annotations?: object | undefined } | undefined
}

/** The request context of a run. */
export interface MastraRequestContext {
  get(key: string): unknown
}

/** What Mastra passes to a function that decides about an approval. */
export interface ApprovalContext {
  readonly args?: unknown
  readonly requestContext?: Readonly<Record<string, unknown>> | undefined
  readonly workspace?: unknown
}

/** `requireToolApproval` of a run. */
export type RunApproval = boolean | ((context: ApprovalContext & { toolName: string }) => unknown)

/** A message in the format that Mastra stores. */
export interface MastraMessage {
  readonly role?: string | undefined
  readonly content: { readonly parts?: readonly object[] | undefined }
}

/** The arguments of `processInputStep` that we read. */
export interface MastraStep {
  readonly runId?: string | undefined
  /** Kept for all steps of a run. */
  readonly state?: Record<string, unknown> | undefined
  readonly messages: readonly MastraMessage[]
  readonly systemMessages: readonly { readonly content: unknown }[]
  readonly tools?: Record<string, unknown> | undefined
  readonly steps: readonly { readonly usage?: { readonly totalTokens?: number | undefined } }[]
  readonly requestContext?: MastraRequestContext | undefined
  readonly sendSignal?: ((signal: MastraSignal) => Promise<unknown>) | undefined
}

/** A message that Mastra stores in the thread without showing it as the user's. */
export interface MastraSignal {
  readonly type: 'notification'
  readonly tagName: string
  readonly contents: string
}

/** The context of a tool's `execute` that we read. */
export interface MastraToolContext {
  readonly abortSignal?: AbortSignal | undefined
  readonly agent?: { readonly threadId?: string | undefined } | undefined
  readonly runId?: string | undefined
  readonly requestContext?: MastraRequestContext | undefined
}
