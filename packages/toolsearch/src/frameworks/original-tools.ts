import type { Tool } from '../catalogue/tool.ts'

/** The tools of a framework behind the definitions in a catalogue, which keeps them as metadata. */
export interface OriginalTools<Original> {
  /** The metadata of the definition. */
  metadataOf(original: Original): Readonly<Record<string, Original>>
  of(tool: Tool | undefined): Original | undefined
}

/** `key` is different for each framework, because a catalogue can have tools of several. */
export function originalTools<Original>(key: string): OriginalTools<Original> {
  return {
    metadataOf: (original) => ({ [key]: original }),
    of: (tool) => tool?.metadata[key] as Original | undefined,
  }
}
