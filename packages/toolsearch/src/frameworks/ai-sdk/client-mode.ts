import { acceptedName } from '../../catalogue/safe-name.ts'
import type { JsonSchema } from '../../catalogue/tool.ts'
import type { FoundTool } from '../../transcript/entry.ts'
import { unvalidatedSchema } from './input-schema.ts'
import { revealedByAnswer, revealedBySearch } from './revealed-tools.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkCallPart, SdkResultPart } from './sdk-shapes.ts'

/**
 * For OpenAI's Responses API: the service delegates the search to the client, and the search result
 * contains the definitions. Deferred tools are not part of the request.
 */
export const clientMode: SdkMode = {
  search: 'own',
  reveal: 'definition',
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
  reconcile(results) {
    const searched = new Set(results.flatMap(revealedBySearch).map(({ name }) => name))
    // these are in the default namespace, too
    for (const { name } of results.flatMap(revealedByAnswer)) searched.delete(name)
    return {
      call: (part) => (searched.has(part.toolName) ? withNamespace(part) : part),
      result: (part) => withAcceptedNames(withAdditionalTools(part)),
    }
  },
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
function withAcceptedNames(part: SdkResultPart): SdkResultPart {
  if (revealedBySearch(part).length === 0) return part
  const { tools, ...value } = part.output.value as { tools: { name: string }[] }
  const named = tools.map((tool) => ({ ...tool, name: acceptedName(tool.name) }))
  return { ...part, output: { ...part.output, value: { ...value, tools: named } } }
}

/** The definition of a tool that the model called without having seen it follows the answer. */
function withAdditionalTools(part: SdkResultPart): SdkResultPart {
  const revealed = revealedByAnswer(part)
  if (revealed.length === 0) return part
  const additionalTools = revealed.map((tool) =>
    definitionOf({ ...tool, name: acceptedName(tool.name) }, false),
  )
  const openai = { ...part.providerOptions?.openai, additionalTools }
  return { ...part, providerOptions: { ...part.providerOptions, openai } }
}

function definitionOf({ name, description, inputSchema }: FoundTool, strict: boolean): object {
  const parameters = inputSchema as JsonSchema
  return {
    type: 'function',
    name,
    description,
    parameters,
    // The service accepts a strict schema only without additional properties.
    strict: strict && parameters.additionalProperties === false,
  }
}
