import type { Tool, ToolDefinition } from '../../catalogue/tool.ts'
import { check } from '../../options/check-option.ts'
import { originalTools } from '../original-tools.ts'
import type { MastraTool } from './mastra-shapes.ts'

const originals = originalTools<MastraTool>('mastraTool')

const checkTools = check(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((tool) => typeof tool?.id === 'string'),
  'use an array of Mastra tools, or an object of them, as in new Agent({ tools })',
)

/**
 * Definitions for the catalogue. The adapter for Mastra runs the original tools, with their context,
 * approvals and output mapping.
 *
 * @example createToolSearch({ tools: mastraTools({ weather, letters }) })
 *
 * @throws InvalidOptionError
 */
export function mastraTools(
  tools: readonly MastraTool[] | Readonly<Record<string, MastraTool>>,
): ToolDefinition[] {
  checkTools(tools, 'tools')
  const named: readonly (readonly [string, MastraTool])[] = Array.isArray(tools)
    ? tools.map((tool: MastraTool) => [tool.id, tool])
    : Object.entries(tools)
  return named.map(([name, tool]) => ({
    name,
    description: tool.description,
    inputSchema: tool.inputSchema as ToolDefinition['inputSchema'],
    ...(tool.mcp?.annotations && { annotations: tool.mcp.annotations }),
    metadata: originals.metadataOf(tool),
  }))
}

/** Mastra's tool behind a tool of the catalogue, if it came from `mastraTools`. */
export const originalOf: (tool: Tool | undefined) => MastraTool | undefined = originals.of
