import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolDefinition } from 'toolsearch'
import { publishedServers } from './server-list.ts'

/**
 * Reads the tools of published MCP servers, as a client that connects to all of them sees them.
 *
 * @param servers names from `servers.json`; without them, every server in the order of that file
 *
 * @example
 * readManifests(['github', 'slack']) // mcp__github__…, mcp__slack__…
 */
export function readManifests(
  servers: readonly string[] = publishedServers().map(({ name }) => name),
): ToolDefinition[] {
  return servers.flatMap((server) =>
    readServer(server).map((tool) => ({
      ...tool,
      name: `mcp__${server}__${tool.name}`,
      source: `mcp:${server}` as const,
    })),
  )
}

function readServer(server: string): ToolDefinition[] {
  const text = readFileSync(join(import.meta.dirname, 'servers', `${server}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
