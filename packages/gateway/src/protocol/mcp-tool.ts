/** A tool as a server returns it from `tools/list`, with every field unchanged. */
export interface McpTool {
  readonly name: string
  readonly [field: string]: unknown
}
