import type { CallableTool } from '../callable-tool.ts'
import type { ChatBody } from './chat-body.ts'

/** All functions, also deferred ones: a message can describe them to the model. */
export function callableTools({ tools = [], tool_choice: choice }: ChatBody): CallableTool[] {
  const isAllowed = allowedBy(choice)
  return tools.flatMap(({ function: { name = '', parameters } = {} }) =>
    name !== '' && isAllowed(name) ? [{ name, schema: parameters }] : [],
  )
}

function allowedBy(choice: ChatBody['tool_choice']): (name: string) => boolean {
  if (typeof choice !== 'object' || choice === null) return () => choice !== 'none'
  const chosen = choice.type === 'allowed_tools' ? (choice.allowed_tools?.tools ?? []) : [choice]
  return (name) => chosen.some((tool) => tool.function?.name === name)
}
