import type { SchemaProblem } from './check-schema.ts'
import type { CacheControl, RequestFields } from './request-fields.ts'
import type { StandardSchema } from './standard-schema.ts'

/** A JSON Schema as plain JSON. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Where a tool comes from. `mcp:github` is the MCP server named `github`. */
export type ToolSource =
  | 'builtin'
  | 'plugin'
  | 'client'
  | `plugin:${string}`
  | `client:${string}`
  | `mcp:${string}`

/**
 * Whether requests always contain a tool (`eager`), a search must find it first (`deferred`), or
 * the deferral policy decides (`auto`).
 */
export type Loading = 'auto' | 'eager' | 'deferred'

/** MCP tool annotations: hints about a tool's effects. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
}

/**
 * The definition of a tool. You can pass an entry of an MCP `tools/list` result unchanged; the
 * `_meta` keys `anthropic/alwaysLoad` and `anthropic/searchHint` are supported.
 */
export interface ToolDefinition {
  /** 1 to 128 characters of any script. Provider adapters map it to what their provider accepts. */
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  /**
   * JSON Schema, or a schema of Zod, Valibot, ArkType or another library with Standard Schema
   * support. Such a schema also validates the arguments of calls.
   * @default { type: 'object', properties: {} }
   */
  readonly inputSchema?: JsonSchema | StandardSchema | undefined
  /**
   * Describes what the tool returns. Requests to OpenAI contain it if `allowedCallers` includes
   * `programmatic`.
   */
  readonly outputSchema?: JsonSchema | StandardSchema | undefined
  /**
   * Asks the service to enforce the schema. Ignored where the service has no strict mode, and for a
   * schema that does not meet its requirements.
   * @default false
   */
  readonly strict?: boolean | null | undefined
  /** Examples of valid arguments. Requests to Anthropic contain them. */
  readonly inputExamples?: readonly Readonly<Record<string, unknown>>[] | undefined
  /**
   * Who may call the tool: `direct`, `programmatic` (OpenAI) or a version of Anthropic's code execution
   * such as `code_execution_20260120`. Each service gets the values it knows.
   * @default what the service assumes
   */
  readonly allowedCallers?: readonly string[] | undefined
  /** Sets a breakpoint of Anthropic's prompt cache after this tool, if it is listed in full. */
  readonly cacheControl?: CacheControl | undefined
  /** @default derived from names like `mcp__github__create_issue`, otherwise 'builtin' */
  readonly source?: ToolSource | undefined
  /** @default true if `source` starts with `mcp:` */
  readonly isMcp?: boolean | undefined
  /** Search terms that are missing from the name and the description. */
  readonly searchHint?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** @default 'auto' */
  readonly loading?: Loading | undefined
  /** Data for your own use. Never sent and never searched. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** MCP's name for `metadata`. If both are present, they are merged. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
  /**
   * Runs the tool. `session.run` calls it with arguments that passed validation. Returns a string, the
   * result of an MCP server, blocks with images or files, or any value to send as JSON, or a promise
   * of one of these. If it throws, the model gets the error message.
   */
  execute?(input: Record<string, unknown>, context: ExecuteContext): unknown
  /**
   * Makes this a skill: instructions for a task, and the tools that it takes. A search finds it like a
   * tool, but it is never sent as one and cannot be called.
   */
  readonly skill?: (Pick<Skill, 'instructions'> & Partial<Skill>) | undefined
  /**
   * Whether `session.run` may execute a call to this tool at the same time as other calls of the
   * same reply. MCP's field of the same name, an object, is ignored.
   * @default 'parallel'
   */
  readonly execution?: Execution | { readonly taskSupport?: unknown } | undefined
}

/** What a skill consists of besides its name and description. */
export interface Skill {
  /**
   * What to do, usually Markdown. A search result contains it, as far as its budget allows. Empty if
   * another tool returns it: see `readWith` of the result format.
   */
  readonly instructions: string
  /**
   * Names of tools that the instructions use. A search that returns the skill loads them as well,
   * if they exist and the caller may use them.
   */
  readonly tools: readonly string[]
}

export type Execution = 'parallel' | 'sequential'

export interface ExecuteContext {
  /** Aborted when the caller of `session.run` cancels. */
  readonly signal: AbortSignal
  /** The conversation that made the call. */
  readonly sessionId: string
  /** The provider's id of the call, if the caller passed it. */
  readonly callId?: string
}

/** A validated definition with all defaults applied. */
export interface Tool extends RequestFields {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly source: ToolSource
  readonly isMcp: boolean
  readonly searchHint?: string
  readonly tags: readonly string[]
  readonly annotations: ToolAnnotations
  readonly loading: Loading
  readonly metadata: Readonly<Record<string, unknown>>
  readonly execute?: NonNullable<ToolDefinition['execute']>
  /** Only if this is not a tool but a skill. */
  readonly skill?: Skill
  readonly execution: Execution
  /**
   * Validates arguments with the schema library that the definition used. Resolves to the value to
   * pass to `execute`, with defaults and transforms applied, or to the problems for the model.
   */
  readonly validator?: (
    value: unknown,
  ) => Promise<{ value: unknown } | { problems: readonly string[] }>
  /**
   * What is wrong with the schemas, with paths such as `inputSchema.properties.limit.type`. Empty for
   * almost every tool. A tool with problems can be found, loaded and called; requests contain a
   * corrected schema.
   */
  readonly problems: readonly SchemaProblem[]
}
