import { serveStdio as serveWithSdk } from '@modelcontextprotocol/server/stdio'
import type { GatewayServerFactory } from './mcp-server.ts'
import { createStdioShortcut } from './shortcut/stdio-shortcut.ts'
import { createStdioTransport, type StdioTransportOptions } from './stdio-transport.ts'

/** Serves one client over stdio, or over the given streams, until `close` is called. */
export function serveStdio(
  servers: GatewayServerFactory,
  options: Pick<StdioTransportOptions, 'input' | 'output'> = {},
): { close(): Promise<void> } {
  const { factory, interceptor } = createStdioShortcut(servers)
  const transport = createStdioTransport({ ...options, interceptor })
  return serveWithSdk(factory, { transport })
}
