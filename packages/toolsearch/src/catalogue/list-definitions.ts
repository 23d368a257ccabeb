import { isObject } from '../is-object.ts'

/** One of several definitions, and how to name it in an error. */
export interface ListedDefinition {
  readonly definition: unknown
  /** The position in a list. */
  readonly index?: number
  /** The key in an object of tools. */
  readonly key?: string
}

/** Fields that show that an object is a definition without a name, and not an object of tools. */
const DEFINITION_FIELDS = ['inputSchema', 'input_schema', 'parameters', 'function', 'execute']

/** The definitions in a list, in an object whose keys are the names, or a single definition. */
export function listDefinitions(tools: unknown): readonly ListedDefinition[] {
  if (Array.isArray(tools)) return tools.map((definition, index) => ({ definition, index }))
  if (!isRecord(tools)) return [{ definition: tools }]
  return Object.entries(tools).map(([key, definition]) => ({ definition, key }))
}

function isRecord(tools: unknown): tools is Record<string, unknown> {
  if (!isObject(tools)) return false
  const prototype: unknown = Object.getPrototypeOf(tools)
  if (prototype !== Object.prototype && prototype !== null) return false
  const isDefinition =
    typeof tools.name === 'string' ||
    typeof tools.type === 'string' ||
    DEFINITION_FIELDS.some((field) => Object.hasOwn(tools, field))
  return !isDefinition && Object.values(tools).every(isObject)
}
