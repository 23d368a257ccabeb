import { fixedTools, type ToolList } from '../catalogue/fixed-tools.ts'
import { isEqual } from '../catalogue/is-equal.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import type { ToolSet } from './tool-set.ts'

/**
 * Turns the definitions of a request into a tool set. Fields that a definition omits keep the values
 * of the existing tool of that name. @throws InvalidToolError
 */
export type RequestToolSets = (
  definitions: readonly ToolDefinition[],
  existing: (name: string) => Tool | undefined,
) => ToolSet

/**
 * Callers often pass the same list with every request. Its set is reused, with its index, as long as
 * the definitions and the tools they complete are the same, and is freed with the list.
 */
export function createRequestToolSets(createSet: (tools: ToolList) => ToolSet): RequestToolSets {
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
      completed.every((tool, index) => tool === earlier.completed[index])
    ) {
      return earlier.set
    }
    const tools = given.map((definition, index) => complete(definition, index, completed[index]))
    const set = createSet(fixedTools(tools))
    // a copy, because the caller may change its own
    const definitions = given.map((definition) => ({ ...definition }))
    known.set(given, { definitions, completed, set })
    return set
  }
}

function complete(definition: ToolDefinition, index: number, existing: Tool | undefined): Tool {
  if (existing === undefined) return readDefinition(definition, { index })
  const isUnchanged = (key: string, value: unknown) => isEqual(existing[key as keyof Tool], value)
  const given = Object.entries(definition).filter(([, value]) => value !== undefined)
  // comparing is cheaper than validating the definition again
  if (given.every(([key, value]) => isUnchanged(key, value))) return existing
  const { validator, metadata, ...fields } = existing
  const { inputSchema, _meta } = definition
  // the validator belongs to the schema of the existing tool
  const keepsSchema = inputSchema === undefined || isUnchanged('inputSchema', inputSchema)
  return readDefinition({
    ...fields,
    ...(keepsSchema && { validator }),
    // both names of this field would be merged, and the values of the existing tool would win
    ...(_meta === undefined && { metadata }),
    ...Object.fromEntries(given),
  })
}
