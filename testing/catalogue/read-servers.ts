import { readFileSync } from 'node:fs'
import type { ToolDefinition } from 'toolsearch'

/**
 * Reads the tools of invented MCP servers, as a client that connects to all of them sees them.
 *
 * @param servers the files of `servers/` to read, in this order; the client's name for a server
 * is its key, or the name of the file if you pass a list
 *
 * @example
 * readServers(['coppice', 'banter']) // mcp__coppice__…, mcp__banter__…
 * readServers({ mail: 'postbird' }) // mcp__mail__…
 */
export function readServers(
  servers: readonly string[] | Readonly<Record<string, string>>,
): ToolDefinition[] {
  const files = Array.isArray(servers)
    ? servers.map((name) => [name, name] as const)
    : Object.entries(servers)
  return files.flatMap(([name, file]) =>
    readServer(file).map((tool) => ({
      ...tool,
      name: `mcp__${name}__${tool.name}`,
      source: `mcp:${name}` as const,
    })),
  )
}

function readServer(file: string): ToolDefinition[] {
  const text = readFileSync(new URL(`./servers/${file}.jsonl`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
