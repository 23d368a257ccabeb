import type { Catalogue } from './catalogue.ts'
import type { Tool } from './tool.ts'

/** The part of a catalogue that reads it. */
export type ToolList = Pick<Catalogue, 'version' | 'tools' | 'get' | 'has'>

/** A list that never changes. The last one of several tools with the same name counts. */
export function fixedTools(tools: readonly Tool[]): ToolList {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const inOrder = [...byName.values()]
  return {
    version: 0,
    tools: () => inOrder,
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
  }
}
