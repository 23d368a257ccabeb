import { isObject } from '../../is-object.ts'
import { unvalidatedSchema } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage, SdkToolResult } from './sdk-shapes.ts'

/**
 * For Anthropic: the tool list contains every tool as deferred, and search results reference the
 * found ones. The list never changes.
 */
export const referenceMode: SdkMode = {
  // The service rejects a deferred tool with cache control.
  deferredOptions: { anthropic: { deferLoading: true, cacheControl: undefined } },
  canForceDeferred: true,
  searchTool: ({ definition, search, isDeferred }) => ({
    description: definition.description,
    inputSchema: unvalidatedSchema(definition.inputSchema),
    async execute(input: unknown) {
      const { outcome, answer } = await search(input)
      // The service rejects a reference to a tool that is not deferred.
      const loaded = outcome.hits.map(({ tool }) => tool.name).filter(isDeferred)
      return loaded.length > 0 ? { loaded } : answer.text
    },
    toModelOutput: ({ output }: { output: string | { loaded: readonly string[] } }) =>
      typeof output === 'string'
        ? { type: 'text', value: output }
        : { type: 'content', value: output.loaded.map(referenceTo) },
  }),
  revealedBy: ({ output }) => blocksIn(output).flatMap((block) => referencedName(block) ?? []),
  repair: (messages, isDeferred) =>
    messages.map((message) => withoutStaleReferences(message, isDeferred)),
}

function referenceTo(toolName: string): unknown {
  return { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } }
}

/** A single reference to a removed tool would make the service reject every later request. */
function withoutStaleReferences<MESSAGE extends SdkMessage>(
  message: MESSAGE,
  isDeferred: (name: string) => boolean,
): MESSAGE {
  const isStale = (block: unknown) => {
    const name = referencedName(block)
    return name !== undefined && !isDeferred(name)
  }
  const { content } = message
  if (message.role !== 'tool' || !Array.isArray(content)) return message
  if (!content.some(({ output }) => blocksIn(output).some(isStale))) return message
  return {
    ...message,
    content: content.map((part) => {
      const blocks = blocksIn(part.output)
      const value = blocks.filter((block) => !isStale(block))
      if (value.length === blocks.length) return part
      // The service also rejects a result without content.
      const replacement = { type: 'text', value: 'These tools are no longer available.' }
      return { ...part, output: value.length > 0 ? { ...part.output, value } : replacement }
    }),
  }
}

function blocksIn(output: SdkToolResult['output'] | undefined): readonly unknown[] {
  return output?.type === 'content' && Array.isArray(output.value) ? output.value : []
}

function referencedName(block: unknown): string | undefined {
  const options = isObject(block) ? block.providerOptions : undefined
  const reference = isObject(options) ? options.anthropic : undefined
  if (!isObject(reference) || reference.type !== 'tool-reference') return undefined
  return reference.toolName as string
}
