import type { ToolText } from '../../tokens/tool-tokens.ts'
import { type ObjectSchema, objectSchema } from '../object-schema.ts'
import type { RequestPlan } from '../provider.ts'
import type { ChatMessage } from './chat-message.ts'
import { plainMessages } from './plain-messages.ts'
import { withInstructions } from './with-instructions.ts'
import { withNotice } from './with-notice.ts'

/** The part of a request that has to do with tools. */
export interface ChatRequest<Message> {
  tools?: ChatTool[]
  tool_choice?: 'required' | { type: 'function'; function: { name: string } }
  messages: Message[]
}

export interface ChatTool {
  type: 'function'
  function: {
    name: string
    description: string
    parameters: ObjectSchema
  }
}

/**
 * How a tool is forced: `named`, by its name; `required`, as the only tool listed with a choice of
 * `required`; `alone`, as the only tool listed, where no choice is understood.
 */
export type Forcing = 'named' | 'required' | 'alone'

export interface EncodeOptions {
  readonly forcing: Forcing
  readonly reasoning: 'keep' | 'drop'
}

export function encode<Message extends ChatMessage>(
  plan: RequestPlan<Message>,
  { forcing, reasoning }: EncodeOptions,
): ChatRequest<Message> {
  const { searchTool, callTool, system, announcement, notice } = plan
  const listed = [searchTool, callTool, ...plan.tools].filter((tool) => tool !== undefined)
  const forced = listed.find((tool) => tool.name === plan.toolChoice)
  const tools = forced === undefined || forcing === 'named' ? listed : [forced]
  const choice = forced && toolChoice(forced, forcing)
  const messages = withNotice(withInstructions(plan.messages, system, announcement), notice)
  return {
    ...(tools.length > 0 && { tools: tools.map(definition) }),
    ...(choice !== undefined && { tool_choice: choice }),
    messages: [...(reasoning === 'drop' ? plainMessages(messages) : messages)],
  }
}

function toolChoice({ name }: ToolText, forcing: Forcing): ChatRequest<unknown>['tool_choice'] {
  if (forcing === 'named') return { type: 'function', function: { name } }
  return forcing === 'required' ? 'required' : undefined
}

function definition({ name, description, inputSchema }: ToolText): ChatTool {
  return {
    type: 'function',
    // some endpoints refuse an object that says nothing of its properties
    function: { name, description, parameters: { properties: {}, ...objectSchema(inputSchema) } },
  }
}
