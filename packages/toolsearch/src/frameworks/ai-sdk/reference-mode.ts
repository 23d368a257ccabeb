import { isObject } from '../../is-object.ts'
import { describing } from './input-schema.ts'
import type { SdkMode } from './sdk-mode.ts'
import type { SdkMessage, SdkToolResult } from './sdk-shapes.ts'

/**
 * For Anthropic: every tool is in the list, deferred, and a result refers to those that were found.
 * So the list never changes.
 */
export const referenceMode: SdkMode = {
  // the service refuses a deferred tool that marks where a cache ends
  held: { anthropic: { deferLoading: true, cacheControl: undefined } },
  canForceHeld: true,
  searchTool: ({ definition, search, isHeld }) => ({
    description: definition.description,
    inputSchema: describing(definition.inputSchema),
    async execute(input: unknown) {
      const { outcome, answer } = await search(input)
      // the service refuses a reference to a tool that is not deferred
      const loaded = outcome.hits.map(({ tool }) => tool.name).filter(isHeld)
      return loaded.length > 0 ? { loaded } : answer.text
    },
    toModelOutput: ({ output }: { output: string | { loaded: readonly string[] } }) =>
      typeof output === 'string'
        ? { type: 'text', value: output }
        : { type: 'content', value: output.loaded.map(referenceTo) },
  }),
  carriedBy: ({ output }) => blocksIn(output).flatMap((block) => referredName(block) ?? []),
  repair: (messages, isHeld) => messages.map((message) => withoutStale(message, isHeld)),
}

function referenceTo(toolName: string): unknown {
  return { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } }
}

/** One reference to a tool that is gone, and the service refuses all that follows. */
function withoutStale<MESSAGE extends SdkMessage>(
  message: MESSAGE,
  isHeld: (name: string) => boolean,
): MESSAGE {
  const isStale = (block: unknown) => {
    const name = referredName(block)
    return name !== undefined && !isHeld(name)
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
      // a result without content is refused as well
      const gone = { type: 'text', value: 'These tools are no longer available.' }
      return { ...part, output: value.length > 0 ? { ...part.output, value } : gone }
    }),
  }
}

function blocksIn(output: SdkToolResult['output'] | undefined): readonly unknown[] {
  return output?.type === 'content' && Array.isArray(output.value) ? output.value : []
}

function referredName(block: unknown): string | undefined {
  const options = isObject(block) ? block.providerOptions : undefined
  const reference = isObject(options) ? options.anthropic : undefined
  if (!isObject(reference) || reference.type !== 'tool-reference') return undefined
  return reference.toolName as string
}
