import type { McpTool } from '../protocol/mcp-tool.ts'
import type { ToolLine } from './api.ts'
import type { Inspected } from './inspected.ts'

/** A tool as its server defines it; nothing if the server has it no more. */
export function originalOf(
  { gateway, servers }: Pick<Inspected, 'gateway' | 'servers'>,
  { name, server }: Pick<ToolLine, 'name' | 'server'>,
): McpTool | undefined {
  const tools = servers.upstreams.get(server)?.tools ?? []
  return tools.find((tool) => gateway.nameOf(server, tool.name) === name)
}
