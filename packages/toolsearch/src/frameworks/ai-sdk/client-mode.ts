import type { Tool } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import { describing } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage } from './sdk-shapes.ts'

/**
 * For OpenAI's Responses: the service asks us to search, and its result carries the definitions.
 * Tools that are held back are not sent at all.
 */
export const clientMode: SdkMode = {
  held: { openai: { omitFromRequestTools: true } },
  searchTool: ({ definition, search, isHeld, isStrict }) => ({
    type: 'provider',
    id: 'openai.tool_search',
    isProviderExecuted: false,
    args: {
      execution: 'client',
      description: definition.description,
      parameters: definition.inputSchema,
    },
    inputSchema: describing({ type: 'object' }),
    async execute({ arguments: input }: { arguments?: unknown }) {
      const { outcome } = await search(input)
      const found = outcome.hits.filter(({ tool }) => isHeld(tool.name))
      return { tools: found.map(({ tool }) => definitionOf(tool, isStrict(tool.name))) }
    },
  }),
  carriedBy({ output }) {
    const tools = isObject(output.value) && output.value.tools
    return Array.isArray(tools) ? tools.map(({ name }) => name) : []
  },
  repair: (messages, isHeld) => messages.map((message) => withNamespaces(message, isHeld)),
}

/**
 * A function that was searched for lives in a namespace of its own name, and the service refuses a
 * call of it without that, as one made before it was found.
 */
function withNamespaces<MESSAGE extends SdkMessage>(
  message: MESSAGE,
  isHeld: (name: string) => boolean,
): MESSAGE {
  const { role, content } = message
  if (role !== 'assistant' || !Array.isArray(content)) return message
  return {
    ...message,
    content: content.map((part) => {
      if (part.type !== 'tool-call' || !isHeld(part.toolName)) return part
      const openai = { namespace: part.toolName, ...part.providerOptions?.openai }
      return { ...part, providerOptions: { ...part.providerOptions, openai } }
    }),
  }
}

function definitionOf({ name, description, inputSchema }: Tool, strict: boolean): unknown {
  return {
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    // the service takes a strict schema only if it is closed
    strict: strict && inputSchema.additionalProperties === false,
    defer_loading: true,
  }
}
