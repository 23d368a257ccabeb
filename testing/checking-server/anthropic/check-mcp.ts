import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { betasOf } from './check-headers.ts'
import type { MessagesBody } from './messages-body.ts'

/** An MCP toolset requires the beta and a matching server, and every server requires a toolset. */
export function checkMcp(
  { tools = [], mcp_servers: servers = [] }: MessagesBody,
  headers: IncomingHttpHeaders,
): Problem | undefined {
  const toolsets = tools.filter((tool) => tool.type === 'mcp_toolset')
  if (toolsets.length === 0 && servers.length === 0) return undefined
  if (!betasOf(headers).some((beta) => beta.startsWith('mcp-client-'))) {
    return anthropicProblem(
      400,
      servers.length > 0
        ? 'mcp_servers: Extra inputs are not permitted'
        : `tools.${tools.indexOf(toolsets[0]!)}: Input tag 'mcp_toolset' found using 'type' does not match any of the expected tags`,
    )
  }
  const referenced = new Set(toolsets.map((toolset) => toolset.mcp_server_name))
  const orphan = toolsets.find(
    ({ mcp_server_name }) => !servers.some(({ name }) => name === mcp_server_name),
  )
  if (orphan) {
    return anthropicProblem(
      400,
      `MCP server '${orphan.mcp_server_name}' referenced in mcp_toolset not found in mcp_servers`,
    )
  }
  const unused = servers.find(({ name }) => !referenced.has(name))
  return (
    unused &&
    anthropicProblem(400, `MCP server '${unused.name}' is not referenced by any mcp_toolset`)
  )
}
