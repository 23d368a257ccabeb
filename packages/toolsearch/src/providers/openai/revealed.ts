import { describedTools } from '../../transcript/described-tools.ts'
import { findOutputs } from './find-outputs.ts'
import { definedNames, type Item, isHostedSearch, lastCompaction } from './items.ts'
import { type OpenaiMode, openaiModes, supportsAdditionalTools } from './openai-modes.ts'

/** The tools whose definitions the items provide in a mode. */
export function revealed(items: readonly Item[], mode: string): Set<string> {
  // An output without its call is not sent.
  const answers = new Set(findOutputs(items).values())
  const start = lastCompaction(items)
  const names = items.flatMap((item, at) => {
    if (at < start) return []
    if (item.type === 'tool_search_output') {
      return answers.has(at) && hasSearch(mode, item) ? definedNames(item) : []
    }
    if (item.type === 'additional_tools') {
      return supportsAdditionalTools(mode) ? definedNames(item) : []
    }
    return item.type === 'function_call_output' ? describedInOutput(item, mode) : []
  })
  return new Set(names)
}

/** Whether a mode uses the kind of search that this item belongs to. */
export function hasSearch(mode: string, item: Item): boolean {
  return mode === (isHostedSearch(item) ? 'hosted' : 'client')
}

/** A schema in a text is enough if the model calls through `call_tool`. */
function describedInOutput({ output }: Item, mode: string): string[] {
  const isEnough = openaiModes[mode as OpenaiMode].reveal === 'text'
  return isEnough && typeof output === 'string' ? describedTools(output) : []
}
