import { toldTools } from '../told-tools.ts'
import { findOutputs } from './find-outputs.ts'
import { definedNames, type Item, isHostedSearch } from './items.ts'
import { type OpenaiMode, openaiModes, takesAdditionalTools } from './openai-modes.ts'

/** The names that items make known in a mode. */
export function revealed(items: readonly Item[], mode: string): Set<string> {
  // an output without its call will not be sent
  const answers = new Set(findOutputs(items).values())
  const names = items.flatMap((item, at) => {
    if (item.type === 'tool_search_output') {
      return answers.has(at) && hasSearch(mode, item) ? definedNames(item) : []
    }
    if (item.type === 'additional_tools')
      return takesAdditionalTools(mode) ? definedNames(item) : []
    return item.type === 'function_call_output' ? toldNames(item, mode) : []
  })
  return new Set(names)
}

/** Whether a mode knows this kind of search. */
export function hasSearch(mode: string, item: Item): boolean {
  return mode === (isHostedSearch(item) ? 'hosted' : 'client')
}

/** A text is enough where the tool is declared or is called through another. */
function toldNames({ output }: Item, mode: string): string[] {
  const { reveal, declares } = openaiModes[mode as OpenaiMode]
  const isEnough = reveal === 'text' || declares === true
  return isEnough && typeof output === 'string' ? toldTools(output) : []
}
