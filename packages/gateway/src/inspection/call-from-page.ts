import { estimateTokens } from 'toolsearch'
import type { ToolCallReport, ToolCallRequest, ToolLine } from './api.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { ConfirmationError } from './read-request.ts'

const CLIENT = { id: 'inspector', name: 'inspector' }

/**
 * Calls a tool for the person at the page.
 *
 * @throws ConfirmationError if the tool may change something and the call is not confirmed
 */
export async function callFromPage(
  { callTool }: Pick<InspectionTarget, 'callTool'>,
  { name, effect }: Pick<ToolLine, 'name' | 'effect'>,
  { arguments: given, confirm }: ToolCallRequest,
  signal: AbortSignal,
): Promise<ToolCallReport> {
  if (effect !== 'read' && !confirm) throw new ConfirmationError(name, effect)
  const start = performance.now()
  const result = await callTool({ name, arguments: given }, { client: CLIENT, signal })
  const text = JSON.stringify(result.content ?? [])
  return {
    tool: name,
    result,
    milliseconds: performance.now() - start,
    size: text.length,
    tokens: estimateTokens(text),
  }
}
