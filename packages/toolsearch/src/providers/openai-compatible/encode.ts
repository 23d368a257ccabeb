import type { ToolText } from '../../tokens/tool-tokens.ts'
import { type ObjectSchema, objectSchema } from '../object-schema.ts'
import type { RequestPlan } from '../provider.ts'
import { fitsStrictMode } from '../strict-schema.ts'
import { type ChatMessage, withText } from './chat-message.ts'
import { withInstructions } from './with-instructions.ts'

/** The tool-related part of a request. */
export interface ChatRequest<Message> {
  tools?: ChatTool[]
  tool_choice?: 'required' | NamedChoice
  messages: Message[]
}

interface NamedChoice {
  type: 'function'
  function: { name: string }
}

export interface ChatTool {
  type: 'function'
  /** Present only in mode `reference`. */
  defer_loading?: true
  function: {
    name: string
    description: string
    parameters: ObjectSchema
    strict?: true
  }
}

/**
 * How to force a tool: `named`, by its name in `tool_choice`; `required`, as the only listed tool
 * with `tool_choice: 'required'`; `alone`, as the only listed tool, for endpoints without
 * `tool_choice`.
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
  const all = [...(plan.extraTools as readonly unknown[] as ChatTool[]), ...listed.map(definition)]
  const forced = all.find((tool) => extraNames(tool).includes(plan.toolChoice!))
  const isAlone = forced !== undefined && forcing !== 'named'
  // Messages may refer to the deferred tools.
  const tools = [...(isAlone ? [forced] : all), ...plan.deferred.map(deferredDefinition)]
  const choice = forced && toolChoice(forced, forcing)
  const messages = withNotice(withInstructions(plan.messages, system, announcement), notice)
  return {
    ...(tools.length > 0 && { tools }),
    ...(choice !== undefined && { tool_choice: choice }),
    messages: reasoning === 'drop' ? messages.map(withoutExtraFields) : [...messages],
  }
}

/** The name of a function or a custom tool. */
export function extraNames(tool: object): string[] {
  const { function: called, custom } = tool as { [kind: string]: { name?: unknown } | undefined }
  const name = (called ?? custom)?.name
  return typeof name === 'string' ? [name] : []
}

function toolChoice(tool: ChatTool, forcing: Forcing): ChatRequest<unknown>['tool_choice'] {
  if (forcing === 'named') {
    const [name] = extraNames(tool) as [string]
    // Only the client's types include the choice of a custom tool.
    return { type: tool.type, [tool.type]: { name } } as unknown as NamedChoice
  }
  return forcing === 'required' ? 'required' : undefined
}

function definition({ name, description, inputSchema, strict }: ToolText): ChatTool {
  // Some endpoints reject an object schema without `properties`.
  const parameters = { properties: {}, ...objectSchema(inputSchema) }
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters,
      ...(strict && fitsStrictMode(parameters) && { strict }),
    },
  }
}

const encodedTools = new WeakMap<ToolText, ChatTool>()

/** A request can carry thousands of these, so each is encoded only once. */
function deferredDefinition(tool: ToolText): ChatTool {
  let encoded = encodedTools.get(tool)
  if (encoded === undefined) {
    encoded = { ...definition(tool), defer_loading: true }
    encodedTools.set(tool, encoded)
  }
  return encoded
}

/**
 * Appends the notice at the very end, so that everything before it stays unchanged. It has the user
 * role, because endpoints reject a system message that is not first, and it joins a user message at
 * the end, because some endpoints reject two in a row.
 */
function withNotice<Message extends ChatMessage>(
  messages: readonly Message[],
  notice: string | undefined,
): readonly Message[] {
  if (notice === undefined) return messages
  const last = messages.at(-1)
  if (last?.role === 'user') return messages.with(-1, withText(last, notice))
  return [...messages, { role: 'user', content: notice } as Message]
}

const STANDARD_FIELDS = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'tool_calls',
  'tool_call_id',
  'function_call',
])

/** Removes fields that are not part of Chat Completions, such as a model's reasoning. */
function withoutExtraFields<Message extends ChatMessage>(message: Message): Message {
  const fields = Object.entries(message)
  const standard = fields.filter(([field]) => STANDARD_FIELDS.has(field))
  if (standard.length === fields.length) return message
  return Object.fromEntries(standard) as unknown as Message
}
