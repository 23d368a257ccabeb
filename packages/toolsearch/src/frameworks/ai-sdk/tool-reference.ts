import { isObject } from '../../is-object.ts'
import type { RevealedDefinition, RevealedTool } from './sdk-mode.ts'

/**
 * A block that refers Claude to a deferred tool. The definition stays in your messages, so that the
 * tool can be declared after its removal.
 */
export function referenceTo(toolName: string, definition?: RevealedDefinition): unknown {
  return {
    type: 'custom',
    providerOptions: {
      anthropic: { type: 'tool-reference', toolName },
      toolsearch: { definition },
    },
  }
}

/** The tool that a block refers to, if it is a reference. */
export function revealedByBlock(block: unknown): readonly RevealedTool[] {
  const { anthropic, toolsearch } = fieldsOf(fieldsOf(block).providerOptions)
  const { type, toolName } = fieldsOf(anthropic)
  if (type !== 'tool-reference' || typeof toolName !== 'string') return []
  const { definition } = fieldsOf(toolsearch)
  return [{ name: toolName, ...(isObject(definition) && { definition: definition as never }) }]
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
