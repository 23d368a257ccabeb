import type { Block } from '../../transcript/block.ts'
import type { Mode, ToolResult } from '../provider.ts'
import type { OnDropped } from '../write-parts.ts'
import { lacksText, outputOf } from './call-types.ts'
import { additionalTools, deferredFunction } from './function-tool.ts'
import { developerText } from './items.ts'
import { outputContent } from './output-content.ts'

/** Creates the outputs of a reply's calls, followed by what does not fit into an output. */
export function render(results: readonly ToolResult[], mode: Mode, onDropped: OnDropped): Block[] {
  return [
    ...results.map((result) => outputItem(result, onDropped)),
    ...results.flatMap((result) => extraItems(result, mode)),
  ]
}

function outputItem(result: ToolResult, onDropped: OnDropped): Block {
  const { call, native, reveals } = result
  if (native) return native
  if (!call.isSearch) return outputOf(call.native, result, outputContent(result, onDropped))
  return {
    type: 'tool_search_output',
    call_id: call.id,
    execution: 'client',
    status: 'completed',
    tools: reveals.map(deferredFunction),
  }
}

/** A search output has only definitions, and a function output cannot define tools. This adds the rest. */
function extraItems(result: ToolResult, mode: Mode): Block[] {
  const { call, text, reveals, isTextRedundant } = result
  if (call.isSearch) return isTextRedundant || text === '' ? [] : [developerText(text)]
  if (text !== '' && lacksText(outputItem(result, () => {}))) return [developerText(text)]
  if (reveals.length === 0 || mode.reveal !== 'definition') return []
  return [additionalTools(reveals)]
}
