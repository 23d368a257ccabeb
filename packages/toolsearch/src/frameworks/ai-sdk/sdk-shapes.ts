/**
 * The fields that we read from the AI SDK's objects. These types are our own, because importing types
 * from `ai` would require every user of our types to install it.
 */

/** A tool of the SDK: created with `tool()`, `dynamicTool()` or by an MCP client. */
export interface SdkTool {
  readonly type?: string | undefined
  readonly title?: unknown
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly strict?: unknown
  readonly deferLoading?: unknown
  readonly providerOptions?: unknown
  readonly metadata?: unknown
}

export type SdkToolSet = Readonly<Record<string, SdkTool>>

/** The names of the tools in a set. */
export type SdkToolName<TOOLS> = Extract<keyof TOOLS, string>

export type SdkToolChoice<TOOLS> =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'tool'; toolName: SdkToolName<TOOLS> }

/** A message of `generateText`. */
export interface SdkMessage {
  readonly role: string
  readonly content: unknown
}

/** The result of a tool call, as a message part. */
export interface SdkToolResult {
  readonly type: 'tool-result'
  readonly toolName: string
  readonly output: { readonly type: string; readonly value?: unknown }
}
