import type { CacheControl } from './request-fields.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { JsonSchema, ToolDefinition } from './tool.ts'

/**
 * A tool in any shape that people have: our own, an entry of an MCP `tools/list` result, a function
 * of OpenAI's Chat Completions or Responses API, a custom tool of Anthropic's Messages API, or a
 * function declaration of Gemini.
 */
export type ToolInput =
  | ToolDefinition
  | OpenaiChatTool
  | OpenaiResponsesTool
  | AnthropicCustomTool
  | GeminiDeclaration
  | HostedTool

/** A list of tools, or an object whose keys are their names, such as a `ToolSet` of the AI SDK. */
export type ToolInputs = readonly ToolInput[] | ToolRecord

type ToolRecord = Readonly<Record<string, UnnamedTool>>

type AnySchema = JsonSchema | StandardSchema

/** Fields of our own that can be added to a tool of any shape. */
type OwnFields = Pick<
  ToolDefinition,
  'source' | 'isMcp' | 'searchHint' | 'tags' | 'annotations' | 'loading' | 'execution' | 'execute'
>

interface OpenaiChatTool extends OwnFields {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string | undefined
    readonly parameters?: AnySchema | undefined
    readonly strict?: boolean | null | undefined
  }
}

interface OpenaiResponsesTool extends OwnFields {
  readonly type: 'function'
  readonly name: string
  readonly description?: string | null | undefined
  readonly parameters?: AnySchema | null | undefined
  readonly strict?: boolean | null | undefined
  /** `true` is the same as `loading: 'deferred'`. */
  readonly defer_loading?: boolean | undefined
  readonly allowed_callers?: readonly string[] | null | undefined
  readonly output_schema?: JsonSchema | null | undefined
}

interface AnthropicCustomTool extends OwnFields {
  readonly type?: 'custom' | null | undefined
  readonly name: string
  readonly description?: string | undefined
  readonly input_schema: AnySchema
  /** `true` is the same as `loading: 'deferred'`. */
  readonly defer_loading?: boolean | undefined
  readonly strict?: boolean | null | undefined
  readonly input_examples?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly allowed_callers?: readonly string[] | undefined
  readonly cache_control?: CacheControl | null | undefined
}

/** An entry of `functionDeclarations`. */
interface GeminiDeclaration extends OwnFields {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly parametersJsonSchema?: unknown
  readonly responseJsonSchema?: unknown
}

/**
 * A tool that a provider defines, such as web search. Part of the type because lists of a client's
 * types can contain one, but rejected with an `InvalidToolError`: pass it to the adapter in `extraTools`.
 */
interface HostedTool {
  readonly type: string
  readonly function?: never
  readonly inputSchema?: never
  readonly input_schema?: never
}

/**
 * A tool that gets its name from a key: the result of the AI SDK's `tool()`, or our own shape
 * without a name.
 */
interface UnnamedTool extends Omit<OwnFields, 'execute'> {
  readonly type?: string | undefined
  readonly title?: unknown
  readonly description?: unknown
  /** Also a schema of the AI SDK, if it is not converted asynchronously. */
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly strict?: unknown
  /** Also in the form of the AI SDK: `{ input: … }`. */
  readonly inputExamples?: unknown
  readonly metadata?: unknown
  readonly _meta?: unknown
  /** `true` is the same as `loading: 'deferred'`, `false` as `loading: 'eager'`. */
  readonly deferLoading?: unknown
  /**
   * A function. Gets `toolCallId`, `abortSignal` and `messages` (empty) as well, like tools of the AI
   * SDK. `object` accepts their types; without it, the compiler would compare their parameters.
   */
  readonly execute?: ToolDefinition['execute'] | object
}
