import type { CallableTool } from '../callable-tool.ts'
import { availableAtEnd } from './available-tools.ts'
import { type MessagesBody, nativeSearchName } from './messages-body.ts'

/** All tools that no message removed, also deferred ones: Claude calls them before it has found them. */
export function callableTools(body: MessagesBody): CallableTool[] {
  const { type: choice, name: forced } = body.tool_choice ?? { type: 'auto' }
  if (choice === 'none') return []
  const { known, removed } = availableAtEnd(body)
  return [...known.values()]
    .filter(({ name }) => choice !== 'tool' || name === forced)
    .filter(({ name, type }) => !removed.has(name!) && nativeSearchName(type) === undefined)
    .map(({ name, input_schema }) => ({ name: name!, schema: input_schema }))
}
