import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { ToolResult } from '../provider.ts'
import { type AnthropicMode, anthropicModes, isAddition } from './anthropic-modes.ts'
import { type AnthropicMessage, type Block, text } from './blocks.ts'
import { definition } from './encode.ts'

/** Puts all results of a reply into one message, followed by one with the tool changes. */
export function render(results: readonly ToolResult[], mode: string): AnthropicMessage[] {
  const answers = { role: 'user', content: results.map((result) => toolResult(result, mode)) }
  const added = isAddition(mode) ? results.flatMap((result) => result.reveals) : []
  if (added.length === 0) return [answers]
  const content = added.map((tool) => ({ type: 'tool_addition', tool: addedTool(tool, mode) }))
  return [answers, { role: 'system', content }]
}

function toolResult(result: ToolResult, mode: string): Block {
  const { call, isError, isTextRedundant } = result
  if (result.native) return result.native
  const hasReferences =
    anthropicModes[mode as AnthropicMode].declaresDeferred === true && !isAddition(mode)
  const references = hasReferences ? result.reveals.map(reference) : []
  const isTextOmitted = (isTextRedundant && references.length > 0) || result.text === ''
  const content = [...(isTextOmitted ? [] : [text(result.text)]), ...references]
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    ...(content.length > 0 && { content }),
    // The service allows only text in an error result.
    ...(isError && references.length === 0 && { is_error: true }),
  }
}

function reference({ name }: ToolText): Block {
  return { type: 'tool_reference', tool_name: name }
}

function addedTool(tool: ToolText, mode: string): Block {
  if (mode === 'addition') return { type: 'tool_reference', name: tool.name }
  return { type: 'tool_definition', definition: definition(tool) }
}
