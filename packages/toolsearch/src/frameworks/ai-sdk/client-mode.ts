import type { Tool } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import { unvalidatedSchema } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage } from './sdk-shapes.ts'

/**
 * For OpenAI's Responses API: the service delegates the search to the client, and the search result
 * contains the definitions. Deferred tools are not part of the request.
 */
export const clientMode: SdkMode = {
  deferredOptions: { openai: { omitFromRequestTools: true } },
  searchTool: ({ definition, search, isDeferred, isStrict }) => ({
    type: 'provider',
    id: 'openai.tool_search',
    isProviderExecuted: false,
    args: {
      execution: 'client',
      description: definition.description,
      parameters: definition.inputSchema,
    },
    inputSchema: unvalidatedSchema({ type: 'object' }),
    async execute({ arguments: input }: { arguments?: unknown }) {
      const { outcome } = await search(input)
      const hits = outcome.hits.filter(({ tool }) => isDeferred(tool.name))
      return { tools: hits.map(({ tool }) => definitionOf(tool, isStrict(tool.name))) }
    },
  }),
  revealedBy({ output }) {
    const tools = isObject(output.value) && output.value.tools
    return Array.isArray(tools) ? tools.map(({ name }) => name) : []
  },
  repair: (messages, isDeferred) => messages.map((message) => withNamespaces(message, isDeferred)),
}

/**
 * A function found by a search is in a namespace with the function's name. The service rejects calls
 * to it without the namespace, such as calls made before the search.
 */
function withNamespaces<MESSAGE extends SdkMessage>(
  message: MESSAGE,
  isDeferred: (name: string) => boolean,
): MESSAGE {
  const { role, content } = message
  if (role !== 'assistant' || !Array.isArray(content)) return message
  return {
    ...message,
    content: content.map((part) => {
      if (part.type !== 'tool-call' || !isDeferred(part.toolName)) return part
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
    // The service accepts a strict schema only without additional properties.
    strict: strict && inputSchema.additionalProperties === false,
    defer_loading: true,
  }
}
