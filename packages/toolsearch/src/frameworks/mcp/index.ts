export {
  type ConnectMcpOptions,
  connectMcp,
  type McpConnection,
  type McpProgressCall,
  type McpTarget,
} from './connect-mcp.ts'
export type { McpClient, McpProgress, McpSubscription, McpToolPage } from './mcp-client.ts'
export { McpDisconnectedError, McpListError, McpSubscriptionError } from './mcp-errors.ts'
