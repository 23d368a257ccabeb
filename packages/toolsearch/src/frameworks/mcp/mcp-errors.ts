import { errorText } from '../../outputs/output-text.ts'
import { ToolSearchError } from '../../tool-search-error.ts'

/** The server did not return its list of tools. Tools that were listed before stay in the catalogue. */
export class McpListError extends ToolSearchError {
  override readonly name = 'McpListError'
  readonly code = 'mcp_list_failed'
  readonly server: string

  constructor(server: string, cause: unknown) {
    super(`The MCP server "${server}" did not list its tools: ${errorText(cause)}`, { cause })
    this.server = server
  }
}

/** The server does not report changes of its tools. Call `refresh()` to read its list again. */
export class McpSubscriptionError extends ToolSearchError {
  override readonly name = 'McpSubscriptionError'
  readonly code = 'mcp_subscription_failed'
  readonly server: string

  constructor(server: string, cause: unknown) {
    super(`The MCP server "${server}" does not report changes of its tools: ${errorText(cause)}`, {
      cause,
    })
    this.server = server
  }
}

/** A tool was called after the connection to its server was lost. */
export class McpDisconnectedError extends ToolSearchError {
  override readonly name = 'McpDisconnectedError'
  readonly code = 'mcp_disconnected'
  readonly server: string

  constructor(server: string) {
    super(`The connection to the MCP server "${server}" was lost, so the tool did not run.`)
    this.server = server
  }
}
