import { fixedTools, type ToolList } from '../catalogue/fixed-tools.ts'
import { isEqual } from '../catalogue/is-equal.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import type { ToolSet } from './tool-set.ts'

/**
 * Turns the definitions of a request into a tool set. Fields that a definition omits keep the values
 * of the existing tool of that name. @throws InvalidToolError
 */
export type GivenTools = (
  definitions: readonly ToolDefinition[],
  existing: (name: string) => Tool | undefined,
) => ToolSet

/**
 * Callers often pass the same list with every request. Its set is reused, with its index, as long as
 * the definitions and the tools they complete are the same, and is freed with the list.
 */
export function createGivenTools(createSet: (tools: ToolList) => ToolSet): GivenTools {
  const known = new WeakMap<
    readonly ToolDefinition[],
    { definitions: ToolDefinition[]; completed: (Tool | undefined)[]; set: ToolSet }
  >()
  return (given, existing) => {
    const completed = given.map((definition) => existing(definition?.name))
    const earlier = known.get(given)
    if (
      earlier &&
      isEqual(earlier.definitions, given) &&
      completed.every((tool, at) => tool === earlier.completed[at])
    ) {
      return earlier.set
    }
    const tools = given.map((definition, at) => complete(definition, completed[at]))
    const set = createSet(fixedTools(tools))
    // a copy, because the caller may change its own
    const definitions = given.map((definition) => ({ ...definition }))
    known.set(given, { definitions, completed, set })
    return set
  }
}

function complete(definition: ToolDefinition, existing: Tool | undefined): Tool {
  if (existing === undefined) return readDefinition(definition)
  // comparing is cheaper than validating the definition again
  const isUnchanged = Object.entries(definition).every(([key, value]) =>
    isEqual(existing[key as keyof Tool], value),
  )
  return isUnchanged ? existing : readDefinition({ ...existing, ...definition })
}
