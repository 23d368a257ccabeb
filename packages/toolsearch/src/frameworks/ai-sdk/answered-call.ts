import type { Tool } from '../../catalogue/tool.ts'
import type { AnsweredCall } from '../../tool-search/call-result.ts'
import type { FoundTool } from '../../transcript/entry.ts'
import type { SdkOutput } from './sdk-shapes.ts'

/**
 * What the SDK keeps as the output of a call that was answered instead of run. It is an output, not
 * an error, because UI messages keep outputs as they are, but replace the text of errors.
 */
export interface CallAnswer {
  readonly text: string
  /** The tool whose definition the model learns from this answer. */
  readonly reveals?: FoundTool
}

export function toCallAnswer(
  { text, reason, tool }: AnsweredCall,
  definitionOf: (tool: Tool) => FoundTool,
): CallAnswer {
  return { text, ...(reason === 'not-loaded' && tool && { reveals: definitionOf(tool) }) }
}

export function answerOutput({ text, reveals }: CallAnswer): SdkOutput {
  return {
    type: 'error-text',
    value: text,
    ...(reveals && { providerOptions: { toolsearch: { reveals } } }),
  }
}
