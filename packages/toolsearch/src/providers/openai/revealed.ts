import { describedTools } from '../../transcript/described-tools.ts'
import type { Mode } from '../provider.ts'
import { findOutputs } from './find-outputs.ts'
import { definedNames, type Item, isHostedSearch, lastCompaction } from './items.ts'

/** The tools whose definitions the items provide in a mode. */
export function revealed(items: readonly Item[], mode: Mode): Set<string> {
  // An output without its call is not sent.
  const answers = new Set(findOutputs(items).values())
  const start = lastCompaction(items)
  const names = items.flatMap((item, at) => {
    if (at < start) return []
    if (item.type === 'tool_search_output') {
      return answers.has(at) && hasSearch(mode, item) ? definedNames(item) : []
    }
    if (item.type === 'additional_tools') {
      return mode.reveal === 'definition' ? definedNames(item) : []
    }
    return item.type === 'function_call_output' ? describedInOutput(item, mode) : []
  })
  return new Set(names)
}

/** Whether a mode uses the kind of search that this item belongs to. */
export function hasSearch({ search, reveal }: Mode, item: Item): boolean {
  return reveal === 'definition' && search === (isHostedSearch(item) ? 'provider' : 'own')
}

/** A schema in a text is enough if the model calls through `call_tool`. */
function describedInOutput({ output }: Item, { reveal }: Mode): string[] {
  const isEnough = reveal === 'call-tool' || reveal === 'stub'
  return isEnough && typeof output === 'string' ? describedTools(output) : []
}
