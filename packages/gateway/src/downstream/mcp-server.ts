import { type McpServerFactory, Server } from '@modelcontextprotocol/server'
import type { Gateway } from './gateway.ts'
import { createParkedCalls } from './parked-calls.ts'
import { serveTools } from './serve-tools.ts'

export interface McpServerOptions {
  readonly version: string
  /** What the gateway and its servers say of themselves, asked for with each connection. */
  readonly instructions: () => string
}

/** Makes the MCP server of one connection, or of one request where the protocol has no connections. */
export function mcpServer(
  gateway: Gateway,
  { version, instructions }: McpServerOptions,
): McpServerFactory {
  const parked = createParkedCalls()
  return ({ era }) => {
    const server = new Server(
      { name: 'toolsearch', title: 'toolsearch', version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: instructions(),
        cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
        debouncedNotificationMethods: ['notifications/tools/list_changed'],
      },
    )
    const stop = serveTools(server, gateway, { era, parked })
    server.onclose = stop
    return server
  }
}
