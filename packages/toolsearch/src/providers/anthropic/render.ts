import type { ToolText } from '../../tokens/tool-tokens.ts'
import { objectSchema } from '../object-schema.ts'
import type { CallResult } from '../provider.ts'
import { type AnthropicMode, anthropicModes, isAddition } from './anthropic-modes.ts'
import { type AnthropicMessage, type Block, text } from './blocks.ts'

/** All results of one reply go into one message, and tool changes into one after it. */
export function render(results: readonly CallResult[], mode: string): AnthropicMessage[] {
  const answers = { role: 'user', content: results.map((result) => toolResult(result, mode)) }
  const added = isAddition(mode) ? results.flatMap((result) => result.reveals) : []
  if (added.length === 0) return [answers]
  const content = added.map((tool) => ({ type: 'tool_addition', tool: addedTool(tool, mode) }))
  return [answers, { role: 'system', content }]
}

function toolResult(result: CallResult, mode: string): Block {
  const { call, isError, isPlain } = result
  const refers =
    mode !== 'append' && anthropicModes[mode as AnthropicMode].declares && !isAddition(mode)
  const references = refers ? result.reveals.map(reference) : []
  const texts = (isPlain && references.length > 0) || result.text === '' ? [] : [text(result.text)]
  const content = [...texts, ...references]
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    ...(content.length > 0 && { content }),
    // an error may hold nothing but text
    ...(isError && references.length === 0 && { is_error: true }),
  }
}

function reference({ name }: ToolText): Block {
  return { type: 'tool_reference', tool_name: name }
}

function addedTool({ name, description, inputSchema }: ToolText, mode: string): Block {
  if (mode === 'addition') return { type: 'tool_reference', name }
  return {
    type: 'tool_definition',
    definition: { name, description, input_schema: objectSchema(inputSchema) },
  }
}
