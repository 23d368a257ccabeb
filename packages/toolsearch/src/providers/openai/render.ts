import type { CallResult } from '../provider.ts'
import { deferredFunction, functionTool } from './function-tool.ts'
import { developerText, type Item } from './items.ts'
import { takesAdditionalTools } from './openai-modes.ts'

/** The outputs of one reply's calls, then what they have to say or to define beyond that. */
export function render(results: readonly CallResult[], mode: string): Item[] {
  return [...results.map(output), ...results.flatMap((result) => beyond(result, mode))]
}

function output({ call, text, reveals }: CallResult): Item {
  if (!call.isSearch) return { type: 'function_call_output', call_id: call.id, output: text }
  return {
    type: 'tool_search_output',
    call_id: call.id,
    execution: 'client',
    status: 'completed',
    tools: reveals.map(deferredFunction),
  }
}

function beyond({ call, text, reveals, isPlain }: CallResult, mode: string): Item[] {
  if (call.isSearch) return isPlain || text === '' ? [] : [developerText(text)]
  if (reveals.length === 0 || !takesAdditionalTools(mode)) return []
  return [{ type: 'additional_tools', role: 'developer', tools: reveals.map(functionTool) }]
}
