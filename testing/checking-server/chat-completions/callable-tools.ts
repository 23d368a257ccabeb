import type { CallableTool } from '../callable-tool.ts'
import type { ChatBody } from './chat-body.ts'

/** All functions, also deferred ones: a message can describe them to the model. */
export function callableTools({ tools = [] }: ChatBody): CallableTool[] {
  return tools.flatMap(({ function: { name = '', parameters } = {} }) =>
    name === '' ? [] : [{ name, schema: parameters }],
  )
}
