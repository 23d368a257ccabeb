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

/** A message of `generateText`, or of the prompt that the SDK passes to a model. */
export interface SdkMessage {
  readonly role: string
  readonly content: unknown
}

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A call, as a message part. */
export interface SdkCallPart {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean | undefined
  readonly providerOptions?: Options | undefined
}

/** The result of a call, as a message part. */
export interface SdkResultPart {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: SdkOutput
  readonly providerOptions?: Options | undefined
}

export interface SdkOutput {
  readonly type: string
  readonly value?: unknown
  readonly providerOptions?: Options | undefined
}

/** The language model interface of the SDK, as far as we wrap it. */
export interface SdkModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly supportedUrls: unknown
  doGenerate(options: SdkRequest): PromiseLike<{ readonly content: readonly SdkReplyPart[] }>
  doStream(options: SdkRequest): PromiseLike<{ readonly stream: ReadableStream<SdkReplyPart> }>
}

/** What the SDK passes to a model. */
export interface SdkRequest {
  readonly prompt: readonly SdkMessage[]
  readonly tools?: readonly SdkRequestTool[] | undefined
  readonly toolChoice?: { readonly type: string; readonly toolName?: string } | undefined
}

export interface SdkRequestTool {
  readonly type: string
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema?: unknown
  readonly providerOptions?: Options | undefined
}

/** A part of a reply, complete or streamed. */
export interface SdkReplyPart {
  readonly type: string
  /** Identifies a call whose input is streamed. */
  readonly id?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: string
  readonly providerExecuted?: boolean | undefined
}
