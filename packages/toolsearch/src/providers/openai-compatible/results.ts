import type { ToolResult } from '../provider.ts'
import type { LooseMessage } from './chat-message.ts'
import { reference } from './references.ts'

/**
 * Creates one message per call. The API has no error flag, so an error is only visible in the text.
 *
 * In mode `reference`, a result that reveals tools has references and nothing else, because chat
 * templates leave out the rest. What is left to say follows as a user message.
 */
export function render(results: readonly ToolResult[], mode: string): LooseMessage[] {
  const answers = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.call.id,
    content: hasReferences(result) ? result.reveals.map(reference) : result.text,
  }))
  const remarks = results
    .filter((result) => hasReferences(result) && !result.isTextRedundant && result.text !== '')
    .map(({ text }) => text)
  return remarks.length === 0
    ? answers
    : [...answers, { role: 'user', content: remarks.join('\n\n') }]

  function hasReferences({ reveals }: ToolResult): boolean {
    return mode === 'reference' && reveals.length > 0
  }
}
