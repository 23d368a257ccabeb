import { acceptedName } from '../../catalogue/safe-name.ts'
import { hasOnlyNewHits } from '../../tool-search/search-outcome.ts'
import type { FoundTool } from '../../transcript/entry.ts'
import { referencedBy, referenceTo, revealedByAnswer } from './revealed-tools.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkOutput, SdkRequestTool, SdkResultPart } from './sdk-shapes.ts'

/**
 * For Anthropic: the tool list contains every tool as deferred, and search results reference the
 * found ones. The model sees the definition of a deferred tool only where a result references it.
 */
export const referenceMode: SdkMode = {
  search: 'own',
  reveal: 'reference',
  asDeferred,
  searchTool: ({ search, hasOwnResult, isDeferred, definitionOf }) => ({
    async execute(input: unknown): Promise<string | SearchOutput> {
      const { outcome, answer } = await search(input)
      // The service rejects a reference to a tool that is not deferred.
      const loaded = outcome.hits.map(({ tool }) => tool).filter(({ name }) => isDeferred(name))
      if (loaded.length === 0) return answer.text
      const isComplete =
        !hasOwnResult && loaded.length === outcome.hits.length && hasOnlyNewHits(outcome)
      return { loaded: loaded.map(definitionOf), ...(!isComplete && { text: answer.text }) }
    },
    toModelOutput: ({ output }: { output: string | SearchOutput }) =>
      typeof output === 'string' ? { type: 'text', value: output } : referencing(output),
  }),
  reconcile(results, { listed, deferred }) {
    const removed = new Map(
      results
        .flatMap((result) => [
          ...revealedByAnswer(result),
          ...blocksIn(result.output).flatMap(referencedBy),
        ])
        .filter(({ name, inputSchema }) => inputSchema && !listed.has(name) && !deferred.has(name))
        .map((tool) => [tool.name, tool]),
    )
    const isDeclared = ({ name }: FoundTool) => deferred.has(name) || removed.has(name)
    return {
      // A reference to an undeclared tool would make the service reject every later request.
      removed: [...removed.values()].map((tool) => asDeferred({ type: 'function', ...tool })),
      result: (part) => withReferences(part, isDeclared),
    }
  },
}

function asDeferred(tool: SdkRequestTool): SdkRequestTool {
  const { providerOptions } = tool
  // The service rejects a deferred tool with cache control.
  const anthropic = { ...providerOptions?.anthropic, deferLoading: true, cacheControl: undefined }
  return { ...tool, providerOptions: { ...providerOptions, anthropic } }
}

/** What the search tool returns to the SDK. UI messages contain it. */
interface SearchOutput {
  readonly loaded: readonly FoundTool[]
  /** What the references do not say, such as names that were not found. */
  readonly text?: string
}

function referencing({ loaded, text }: SearchOutput): SdkOutput {
  const value = loaded.map((tool) => referenceTo(tool.name, tool))
  return { type: 'content', value: text === undefined ? value : [{ type: 'text', text }, ...value] }
}

/**
 * Adds the reference that an answered call needs, and removes those that the service rejects. The others
 * have the names of the request.
 */
function withReferences(
  part: SdkResultPart,
  isDeclared: (tool: FoundTool) => boolean,
): SdkResultPart {
  const loaded = revealedByAnswer(part).filter(isDeclared)
  const text = String(part.output.value)
  const output = loaded.length > 0 ? referencing({ loaded, text }) : part.output
  const blocks = blocksIn(output)
  if (blocks.length === 0) return part
  const value = blocks.flatMap((block) => {
    const [tool] = referencedBy(block)
    if (tool === undefined) return [block]
    const name = acceptedName(tool.name)
    if (!isDeclared(tool)) return []
    return name === tool.name ? [block] : [referenceTo(name, tool)]
  })
  // The service also rejects a result without content.
  const replacement = { type: 'text', value: 'These tools are no longer available.' }
  return { ...part, output: value.length > 0 ? { ...output, value } : replacement }
}

function blocksIn(output: SdkOutput | undefined): readonly unknown[] {
  return output?.type === 'content' && Array.isArray(output.value) ? output.value : []
}
