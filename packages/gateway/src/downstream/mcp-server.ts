import { type McpServerFactory, Server } from '@modelcontextprotocol/server'
import type { JsonObject } from '../upstreams/upstream.ts'
import type { Gateway } from './gateway.ts'

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
  return () => {
    const server = new Server(
      { name: 'toolsearch', title: 'toolsearch', version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: instructions(),
        cacheHints: { 'tools/list': { ttlMs: 60_000, cacheScope: 'private' } },
        debouncedNotificationMethods: ['notifications/tools/list_changed'],
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: gateway.listTools() as never[] }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const token = (params._meta as JsonObject | undefined)?.progressToken
      const result = await gateway.callTool(params as unknown as JsonObject, {
        signal: mcpReq.signal,
        ...(token !== undefined && {
          onProgress: (progress: JsonObject) =>
            void mcpReq.notify({
              method: 'notifications/progress',
              params: { ...progress, progressToken: token as string },
            } as never),
        }),
      })
      return result as never
    })
    const stop = gateway.onListChanged(() => void server.sendToolListChanged().catch(() => {}))
    server.onclose = stop
    return server
  }
}
