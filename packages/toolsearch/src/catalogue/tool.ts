/** A JSON Schema as it travels: plain JSON, never interpreted beyond what a caller can see. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Where a tool comes from. `mcp:github` is a tool of the MCP server called `github`. */
export type ToolSource =
  | 'builtin'
  | 'plugin'
  | 'client'
  | `plugin:${string}`
  | `client:${string}`
  | `mcp:${string}`

/** Whether a tool is sent up front (`eager`), found by search (`deferred`), or left to the policy. */
export type Loading = 'auto' | 'eager' | 'deferred'

/** What a tool says of its own effects, in MCP's words. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/**
 * What a caller hands over. An entry of an MCP `tools/list` result is one as it stands:
 * its `_meta` is read, and `anthropic/alwaysLoad` and `anthropic/searchHint` in it are honoured.
 */
export interface ToolDefinition {
  /** One to 128 characters of any script. A provider's stricter rule is the provider's business. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** @default { type: 'object', properties: {} } */
  readonly inputSchema?: JsonSchema
  readonly outputSchema?: JsonSchema
  /** @default read from names like `mcp__github__create_issue`, otherwise 'builtin' */
  readonly source?: ToolSource
  /** @default true when `source` starts with `mcp:` */
  readonly isMcp?: boolean
  /** Words a person would use for this tool that its name and description lack. */
  readonly searchHint?: string
  readonly tags?: readonly string[]
  readonly annotations?: ToolAnnotations
  /** @default 'auto' */
  readonly loading?: Loading
  /** Anything else the caller wants to find again. Never sent, never searched. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** MCP's name for metadata; both are merged. */
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** A definition once read: every field present or absent for good, nothing left to guess. */
export interface Tool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly source: ToolSource
  readonly isMcp: boolean
  readonly searchHint?: string
  readonly tags: readonly string[]
  readonly annotations: ToolAnnotations
  readonly loading: Loading
  readonly metadata: Readonly<Record<string, unknown>>
}
