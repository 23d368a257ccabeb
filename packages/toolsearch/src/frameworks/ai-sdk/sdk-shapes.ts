/**
 * What we read of the AI SDK's objects, in words of our own: a type imported from `ai` would have
 * to be found by whoever compiles against ours.
 */

/** A tool as the SDK takes it: made with `tool()`, `dynamicTool()` or by an MCP client. */
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

/** The names of a set's tools. */
export type SdkToolName<TOOLS> = Extract<keyof TOOLS, string>

export type SdkToolChoice<TOOLS> =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'tool'; toolName: SdkToolName<TOOLS> }

/** A message of the conversation, as `generateText` has them. */
export interface SdkMessage {
  readonly role: string
  readonly content: unknown
}

/** What a tool gave back, within a message. */
export interface SdkToolResult {
  readonly type: 'tool-result'
  readonly toolName: string
  readonly output: { readonly type: string; readonly value?: unknown }
}
