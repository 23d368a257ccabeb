import { InvalidToolError, type JsonSchema, type ToolDefinition } from 'toolsearch'
import { readDefinition } from '../../packages/toolsearch/src/catalogue/read-definition.ts'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/**
 * Returns the definition itself if the catalogue accepts it. Otherwise drops unknown types from its
 * schema, such as `bool`, and if that isn't enough, keeps only the parameters' names and
 * descriptions. Public data sets contain such schemas, and no tool should be left out.
 *
 * @throws InvalidToolError when something other than the schema is invalid
 */
export function repairDefinition(definition: ToolDefinition): ToolDefinition {
  const { inputSchema } = definition
  if (hasValidSchema(definition)) return definition
  const repaired = { ...definition, inputSchema: dropUnknownTypes(inputSchema) }
  if (hasValidSchema(repaired)) return repaired
  return { ...definition, inputSchema: keepNames(inputSchema) }
}

function hasValidSchema(definition: ToolDefinition): boolean {
  try {
    readDefinition(definition)
    return true
  } catch (error) {
    if (!isSchemaProblem(error)) throw error
    return false
  }
}

function isSchemaProblem(error: unknown): boolean {
  return error instanceof InvalidToolError && error.field.split('.')[0] === 'inputSchema'
}

function dropUnknownTypes(schema: unknown): JsonSchema {
  return asSchema(JSON.parse(JSON.stringify(schema), dropType))
}

function dropType(key: string, value: unknown): unknown {
  // A parameter can itself be called "type"; then the value is a schema.
  const isKeyword = key === 'type' && (typeof value === 'string' || Array.isArray(value))
  if (!isKeyword) return value
  const known = [value].flat().filter((type) => TYPES.has(type as string))
  if (known.length === 0) return undefined
  return Array.isArray(value) ? known : value
}

function keepNames(schema: unknown): JsonSchema {
  const parameters = Object.entries(asSchema(asSchema(schema).properties))
  const properties = parameters.map(([name, parameter]) => {
    const { description } = asSchema(parameter)
    return [name, typeof description === 'string' ? { description } : {}]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function asSchema(value: unknown): JsonSchema {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonSchema) : {}
}
