import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { type AvailableTools, applyBlock, availableAtStart } from './available-tools.ts'
import { betasOf } from './check-headers.ts'
import { type Block, type MessagesBody, type PlacedBlock, placedBlocks } from './messages-body.ts'

const CHANGES_BETA = 'mid-conversation-tool-changes-2026-07-01'
const INLINE_BETA = 'inline-tools-2026-09-15'
/** Models that do not support tool changes: Sonnet 5 (but not 5.5) and everything before Opus 4.8. */
const WITHOUT_TOOL_CHANGES = /^claude-(?:sonnet-5(?!-\d\b)|3|(?:opus|sonnet|haiku)-4(?!-8))/

/** `tool_addition` and `tool_removal` need the right message, betas, model and tools. */
export function checkToolChanges(
  body: MessagesBody,
  headers: IncomingHttpHeaders,
): Problem | undefined {
  const betas = betasOf(headers)
  const available = availableAtStart(body)
  for (const placed of placedBlocks(body)) {
    if (isChange(placed.block)) {
      const problem =
        checkAllowed(placed, body.model ?? '', betas) ??
        checkDefinition(placed, available, betas) ??
        checkTarget(placed, available, body)
      if (problem) return problem
    }
    applyBlock(available, placed.block)
  }
  return undefined
}

function isChange({ type }: Block): boolean {
  return type === 'tool_addition' || type === 'tool_removal'
}

function checkAllowed(
  { block, path, role }: PlacedBlock,
  model: string,
  betas: readonly string[],
): Problem | undefined {
  if (!betas.includes(CHANGES_BETA) && !betas.includes(INLINE_BETA)) {
    return anthropicProblem(
      400,
      `${path}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`,
    )
  }
  if (WITHOUT_TOOL_CHANGES.test(model)) {
    return anthropicProblem(400, 'tool_addition/tool_removal is not supported on this model')
  }
  if (role !== 'system') {
    return anthropicProblem(
      400,
      `${path}: 'tool_addition'/'tool_removal' blocks are only permitted within role: "system" messages`,
    )
  }
  return undefined
}

function checkDefinition(
  { block, path }: PlacedBlock,
  { known }: AvailableTools,
  betas: readonly string[],
): Problem | undefined {
  if (block.tool?.type !== 'tool_definition') return undefined
  if (!betas.includes(INLINE_BETA)) {
    return anthropicProblem(
      400,
      `${path}.${block.type}.tool: Input tag 'tool_definition' found using 'type' does not match any of the expected tags`,
    )
  }
  const { name = '', type } = block.tool.definition ?? {}
  const existing = known.get(name)
  if (existing && (existing.type ?? 'custom') !== (type ?? 'custom')) {
    return anthropicProblem(
      400,
      `${path}: tool name '${name}' is already held by a tool of another kind`,
      'tool_name_conflict',
    )
  }
  return undefined
}

function checkTarget(
  { block, path }: PlacedBlock,
  { known }: AvailableTools,
  { tools = [] }: MessagesBody,
): Problem | undefined {
  const { type, name = '', server_name: server } = block.tool ?? { type: '' }
  if (type === 'tool_definition') return undefined
  const resolved =
    type === 'tool_reference'
      ? known.has(name)
      : tools.some((tool) => tool.type === 'mcp_toolset' && tool.mcp_server_name === server)
  if (resolved) return undefined
  return anthropicProblem(
    400,
    `${path}: ${block.type} references unknown tool '${server ? `${server}/` : ''}${name}'`,
    'tool_reference_unresolved',
  )
}
