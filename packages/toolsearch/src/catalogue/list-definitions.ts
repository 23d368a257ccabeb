import { isObject } from '../is-object.ts'
import { InvalidOptionError } from '../options/invalid-option-error.ts'

/** One of several definitions, and how to name it in an error. */
export interface ListedDefinition {
  readonly definition: unknown
  /** The position in a list. */
  readonly index?: number
  /** The key in an object of tools. */
  readonly key?: string
}

/** Fields that show that an object is a definition without a name, and not an object of tools. */
const DEFINITION_FIELDS = [
  'inputSchema',
  'input_schema',
  'parameters',
  'parametersJsonSchema',
  'function',
  'execute',
]

/**
 * The definitions in a list, in an object whose keys are the names, or a single definition.
 * @throws InvalidOptionError for something that contains the list
 */
export function listDefinitions(tools: unknown): readonly ListedDefinition[] {
  if (Array.isArray(tools)) return tools.map((definition, index) => ({ definition, index }))
  rejectContainer(tools)
  if (!isRecord(tools)) return [{ definition: tools }]
  return Object.entries(tools).map(([key, definition]) => ({ definition, key }))
}

/** The field of MCP's `tools/list` result, or of a tool of Gemini, that contains the definitions. */
export function listWithin(definition: Record<string, unknown>): string | undefined {
  if (definition.name !== undefined || definition.function !== undefined) return undefined
  return LIST_FIELDS.find((field) => Array.isArray(definition[field]))
}

const LIST_FIELDS = ['tools', 'functionDeclarations', 'function_declarations']

function rejectContainer(tools: unknown): void {
  if (!isObject(tools)) return
  const reject = (problem: string) => {
    throw new InvalidOptionError('tools', tools, `tools is ${problem}`)
  }
  if (tools instanceof Promise) {
    tools.catch(() => {})
    reject('a promise; await it')
  }
  if (tools instanceof Map) reject('a Map; use an array: [...map.values()]')
  if (tools instanceof Set) reject('a Set; use an array: [...set]')
  const list = listWithin(tools)
  if (list) reject(`an object that contains the list; pass result.${list}`)
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
