import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { Block } from '../../transcript/block.ts'
import type { Mode, ToolResult } from '../provider.ts'
import type { OnDropped } from '../write-parts.ts'
import { type AnthropicMessage, text, toolsetOf } from './blocks.ts'
import { definition } from './encode.ts'
import { resultContent } from './result-content.ts'

/** Puts all results of a reply into one message, followed by one with the tool changes. */
export function render(
  results: readonly ToolResult[],
  mode: Mode,
  onDropped: OnDropped,
): AnthropicMessage[] {
  const content = results.map((result) => toolResult(result, mode, onDropped))
  const answers = { role: 'user', content }
  const added = mode.reveal === 'definition' ? results.flatMap((result) => result.reveals) : []
  return added.length === 0 ? [answers] : [answers, toolChanges(added)]
}

/** A message that adds tools in the middle of a conversation. */
export function toolChanges(added: readonly ToolText[]): AnthropicMessage {
  return { role: 'system', content: added.map(addition) }
}

function toolResult(result: ToolResult, mode: Mode, onDropped: OnDropped): Block {
  const { call, isError, isTextRedundant } = result
  if (result.native) return result.native
  const references = mode.reveal === 'reference' ? result.reveals.map(reference) : []
  const isTextOmitted = isTextRedundant && references.length > 0
  const blocks = [...(isTextOmitted ? [] : resultContent(result, onDropped)), ...references]
  // The service allows only text in an error result.
  const canFlag = blocks.every((block) => block.type === 'text')
  const isMarked = isError && !canFlag && references.length === 0
  const content = isMarked ? [text('The tool reported an error:'), ...blocks] : blocks
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    ...toolsetOf(call.native),
    ...(content.length > 0 && { content }),
    ...(isError && canFlag && { is_error: true }),
  }
}

function reference({ name }: ToolText): Block {
  return { type: 'tool_reference', tool_name: name }
}

/** A block that adds a tool. */
export function addition(tool: ToolText): Block {
  return { type: 'tool_addition', tool: { type: 'tool_definition', definition: definition(tool) } }
}
