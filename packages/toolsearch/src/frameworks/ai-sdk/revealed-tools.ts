import { isObject } from '../../is-object.ts'
import type { FoundTool } from '../../transcript/entry.ts'

/**
 * A block that refers Claude to a deferred tool. The definition stays in your messages, so that the
 * tool can be declared after its removal.
 */
export function referenceTo(toolName: string, definition?: FoundTool): unknown {
  return {
    type: 'custom',
    providerOptions: {
      anthropic: { type: 'tool-reference', toolName },
      toolsearch: { definition },
    },
  }
}

/** The tool that a block refers to, with the definition in it. */
export function referencedBy(block: unknown): readonly FoundTool[] {
  const { anthropic, toolsearch } = fieldsOf(fieldsOf(block).providerOptions)
  const { type, toolName: name } = fieldsOf(anthropic)
  if (type !== 'tool-reference' || typeof name !== 'string') return []
  return [{ ...fieldsOf(fieldsOf(toolsearch).definition), name }]
}

/** The tool whose definition the model learns from the answer to a call that did not run. */
export function revealedByAnswer({ output }: { readonly output?: unknown }): readonly FoundTool[] {
  const { toolsearch } = fieldsOf(fieldsOf(output).providerOptions)
  const tool = fieldsOf(fieldsOf(toolsearch).reveals)
  return typeof tool.name === 'string' ? [{ ...tool, name: tool.name }] : []
}

/** The tools whose definitions OpenAI's service reads in the output of a search. */
export function revealedBySearch({ output }: { readonly output?: unknown }): readonly FoundTool[] {
  const { tools } = fieldsOf(fieldsOf(output).value)
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool: unknown) =>
    isObject(tool) && tool.defer_loading === true ? [{ name: String(tool.name) }] : [],
  )
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
