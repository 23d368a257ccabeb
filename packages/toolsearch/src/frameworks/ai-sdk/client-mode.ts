import { acceptedName } from '../../catalogue/safe-name.ts'
import { isObject } from '../../is-object.ts'
import { revealedByAnswer } from './answered-call.ts'
import { unvalidatedSchema } from './input-schema.ts'
import { resultsIn } from './sdk-messages.ts'
import type { RevealedDefinition, RevealedTool, SdkMode } from './sdk-mode.ts'
import type { SdkCallPart, SdkResultPart } from './sdk-shapes.ts'

/**
 * For OpenAI's Responses API: the service delegates the search to the client, and the search result
 * contains the definitions. Deferred tools are not part of the request.
 */
export const clientMode: SdkMode = {
  reveal: 'list',
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
      // The result cannot contain text, so the only way to show candidates is to load them.
      const { outcome } = await search(input, { loadsCandidates: true })
      const hits = outcome.hits.filter(({ tool }) => isDeferred(tool.name))
      return {
        tools: hits.map(({ tool }) => ({
          ...definitionOf(tool, isStrict(tool.name)),
          defer_loading: true,
        })),
      }
    },
  }),
  revealedBy: (result) => [...revealedByAnswer(result), ...revealedBySearch(result)],
  translator(messages) {
    const results = resultsIn(messages)
    const searched = new Set(results.flatMap(revealedBySearch).map(({ name }) => name))
    // these are in the default namespace, too
    for (const { name } of results.flatMap(revealedByAnswer)) searched.delete(name)
    return {
      call: (part) => (searched.has(part.toolName) ? withNamespace(part) : part),
      result: (part) => withServiceNames(withAdditionalTools(part)),
    }
  },
}

function revealedBySearch({ output }: SdkResultPart): readonly RevealedTool[] {
  const tools = isObject(output.value) && output.value.tools
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: unknown) =>
    isObject(tool) && tool.defer_loading === true ? [{ name: String(tool.name) }] : [],
  )
}

/**
 * A function found by a search is in a namespace with the function's name. The service rejects calls
 * to it without the namespace, such as calls made before the search.
 */
function withNamespace(part: SdkCallPart): SdkCallPart {
  const openai = { namespace: acceptedName(part.toolName), ...part.providerOptions?.openai }
  return { ...part, providerOptions: { ...part.providerOptions, openai } }
}

/** The found tools by the names that requests have. */
function withServiceNames(part: SdkResultPart): SdkResultPart {
  if (revealedBySearch(part).length === 0) return part
  const { tools, ...value } = part.output.value as { tools: { name: string }[] }
  const named = tools.map((tool) => ({ ...tool, name: acceptedName(tool.name) }))
  return { ...part, output: { ...part.output, value: { ...value, tools: named } } }
}

/** The definition of a tool that the model called without having seen it follows the answer. */
function withAdditionalTools(part: SdkResultPart): SdkResultPart {
  const definitions = revealedByAnswer(part).flatMap(({ definition }) => definition ?? [])
  if (definitions.length === 0) return part
  const additionalTools = definitions.map((tool) =>
    definitionOf({ ...tool, name: acceptedName(tool.name) }, false),
  )
  const openai = { ...part.providerOptions?.openai, additionalTools }
  return { ...part, providerOptions: { ...part.providerOptions, openai } }
}

function definitionOf(tool: RevealedDefinition, strict: boolean): object {
  const { name, description, inputSchema } = tool
  return {
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    // The service accepts a strict schema only without additional properties.
    strict: strict && inputSchema.additionalProperties === false,
  }
}
