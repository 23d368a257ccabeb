/**
 * The parts of the SDK's objects that we read or write. These types are our own, because importing
 * types from `@openai/agents` would require every user of our types to install it.
 */

// biome-ignore lint/suspicious/noExplicitAny: the SDK's generic types, which depend on the user's context and schemas
type Any = any

/** A function tool of the SDK: the result of `tool()`, or a tool that we create. */
export interface AgentTool {
  type: 'function'
  name: string
  description: string
  /** JSON Schema. The SDK converts Zod schemas. */
  parameters: Any
  strict: boolean
  deferLoading?: boolean
  invoke(runContext: Any, input: string, details?: Any): Promise<unknown>
  needsApproval(runContext: Any, input: Any, callId?: string): Promise<boolean>
  isEnabled(runContext: Any, agent: Any): Promise<boolean>
  inputGuardrails?: Any[]
  outputGuardrails?: Any[]
}

/** A tool that the provider executes or that has its own protocol, such as `tool_search`. */
export interface HostedTool {
  type: 'hosted_tool'
  name: string
  providerData?: Any
}

/** What the SDK passes to `invoke` besides the input. */
export interface CallDetails {
  readonly toolCall?: { readonly callId?: string }
  readonly resumeState?: string
  readonly signal?: AbortSignal
}

/** What the SDK passes to a guardrail of a tool. */
export interface GuardrailData {
  readonly toolCall: { readonly arguments: string }
}

export interface GuardrailOutput {
  behavior:
    | { type: 'allow' }
    | { type: 'rejectContent'; message: string }
    | { type: 'throwException' }
  outputInfo?: Any
}

export interface Guardrail {
  readonly run: (data: Any) => Promise<GuardrailOutput>
}

/** The functions of the SDK that create tools for the tool search of the Responses API. */
export interface NativeSearch {
  toolSearchTool(options: {
    execution: 'client'
    description: string
    parameters: unknown
    execute(request: Any): Promise<Any>
  }): HostedTool
  toolNamespace(options: { name: string; description: string; tools: Any }): Any
}
