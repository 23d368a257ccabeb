import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { applyBlock, availableAtStart } from './available-tools.ts'
import { type MessagesBody, placedBlocks, referencesIn } from './messages-body.ts'

/** A `tool_reference` in a result must name a deferred tool that the request declares. */
export function checkReferences(body: MessagesBody): Problem | undefined {
  // Only the real service knows the tools of an MCP server.
  if (body.tools?.some((tool) => tool.type === 'mcp_toolset')) return undefined
  const available = availableAtStart(body)
  for (const { block, path } of placedBlocks(body)) {
    const changes = block.type === 'compaction' ? (block.tool_changes ?? []) : []
    const unknown = changes.find(
      ({ tool }) => tool?.type === 'tool_reference' && !available.known.has(tool.name ?? ''),
    )
    if (unknown) {
      return anthropicProblem(
        400,
        `${path}: ${unknown.type} references unknown tool '${unknown.tool?.name}'`,
        'tool_reference_unresolved',
      )
    }
    for (const { tool_name: name } of referencesIn(block)) {
      if (name === undefined) {
        return anthropicProblem(400, `${path}.tool_reference.tool_name: Field required`)
      }
      const tool = available.known.get(name)
      if (!tool) {
        return anthropicProblem(
          400,
          `Tool reference '${name}' not found in available tools`,
          'tool_reference_unresolved',
        )
      }
      if (body.tools?.includes(tool) && !tool.defer_loading) {
        return anthropicProblem(
          400,
          `Tool reference '${name}' must name a tool with defer_loading=true`,
        )
      }
    }
    applyBlock(available, block)
  }
  return undefined
}
