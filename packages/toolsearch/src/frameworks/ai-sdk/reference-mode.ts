import { acceptedName } from '../../catalogue/safe-name.ts'
import { hasOnlyNewHits } from '../../tool-search/search-outcome.ts'
import { revealedByAnswer } from './answered-call.ts'
import { unvalidatedSchema } from './input-schema.ts'
import { resultsIn } from './sdk-messages.ts'
import type { RevealedDefinition, RevealedTool, SdkMode, TranslatorContext } from './sdk-mode.ts'
import type { SdkOutput, SdkResultPart } from './sdk-shapes.ts'
import { referenceTo, revealedByBlock } from './tool-reference.ts'

// The service rejects a deferred tool with cache control.
const deferredOptions = { anthropic: { deferLoading: true, cacheControl: undefined } }

/**
 * For Anthropic: the tool list contains every tool as deferred, and search results reference the
 * found ones. The model sees the definition of a deferred tool only where a result references it.
 */
export const referenceMode: SdkMode = {
  deferredOptions,
  reveal: 'reference',
  canForceDeferred: true,
  searchTool: ({ definition, search, hasOwnResult, isDeferred, definitionOf }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
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
  revealedBy,
  translator(messages, context) {
    const definitions = new Map<string, RevealedDefinition>()
    for (const result of resultsIn(messages)) {
      for (const { name, definition } of revealedBy(result)) {
        if (definition && !context.isListed(name) && !context.isDeferred(name)) {
          definitions.set(name, definition)
        }
      }
    }
    const isDeclared = (name: string) => context.isDeferred(name) || definitions.has(name)
    return {
      // A reference to an undeclared tool would make the service reject every later request.
      removed: [...definitions.values()].map((tool) => ({ type: 'function', ...tool })),
      result: (part) =>
        withServiceNames(withReferences(part, { ...context, isDeferred: isDeclared })),
    }
  },
}

/** What the search tool returns to the SDK. UI messages contain it. */
interface SearchOutput {
  readonly loaded: readonly RevealedDefinition[]
  /** What the references do not say, such as names that were not found. */
  readonly text?: string
}

function referencing({ loaded, text }: SearchOutput): SdkOutput {
  const value = loaded.map((tool) => referenceTo(tool.name, tool))
  return { type: 'content', value: text === undefined ? value : [{ type: 'text', text }, ...value] }
}

function revealedBy(result: SdkResultPart): readonly RevealedTool[] {
  return [...revealedByAnswer(result), ...blocksIn(result.output).flatMap(revealedByBlock)]
}

/** Adds the reference that an answered call needs, and removes those that the service rejects. */
function withReferences(part: SdkResultPart, { isDeferred }: TranslatorContext): SdkResultPart {
  const [answered] = revealedByAnswer(part)
  if (answered?.definition && isDeferred(answered.name)) {
    const output = { loaded: [answered.definition], text: String(part.output.value) }
    return { ...part, output: referencing(output) }
  }
  const blocks = blocksIn(part.output)
  const value = blocks.filter((block) =>
    revealedByBlock(block).every(({ name }) => isDeferred(name)),
  )
  if (value.length === blocks.length) return part
  // The service also rejects a result without content.
  const replacement = { type: 'text', value: 'These tools are no longer available.' }
  return { ...part, output: value.length > 0 ? { ...part.output, value } : replacement }
}

/** The references by the names that requests have. */
function withServiceNames(part: SdkResultPart): SdkResultPart {
  const blocks = blocksIn(part.output)
  if (blocks.length === 0) return part
  const value = blocks.map((block) => {
    const [revealed] = revealedByBlock(block)
    if (revealed === undefined) return block
    const name = acceptedName(revealed.name)
    return name === revealed.name ? block : referenceTo(name, revealed.definition)
  })
  return { ...part, output: { ...part.output, value } }
}

function blocksIn(output: SdkOutput | undefined): readonly unknown[] {
  return output?.type === 'content' && Array.isArray(output.value) ? output.value : []
}
