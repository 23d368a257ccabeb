import type { Tool, ToolDefinition } from '../catalogue/tool.ts'

type Execute = NonNullable<ToolDefinition['execute']>

/** The tools of a framework behind the definitions in a catalogue. */
export interface OriginalTools<Original> {
  /** `execute` is the function of the definition. A tool of the catalogue keeps it. */
  remember(execute: Execute, original: Original): void
  of(tool: Tool | undefined): Original | undefined
}

export function createOriginalTools<Original>(): OriginalTools<Original> {
  const originals = new WeakMap<Execute, Original>()
  return {
    remember: (execute, original) => void originals.set(execute, original),
    of: (tool) => tool?.execute && originals.get(tool.execute),
  }
}
