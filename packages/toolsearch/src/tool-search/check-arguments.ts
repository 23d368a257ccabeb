import type { JsonSchema } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'

/**
 * Returns the problems with a call's arguments as sentences for the model, or an empty list. Plug
 * in a validator such as Ajv or `@cfworker/json-schema` here. If it throws because it cannot
 * compile a schema, `checkArguments` is used instead.
 */
export type ValidateArguments = (schema: JsonSchema, value: unknown) => readonly string[]

/** Checks what needs no validator: required properties and the types of top-level properties. */
export function checkArguments(schema: JsonSchema, value: unknown): readonly string[] {
  if (!isObject(value)) return ['the arguments must be an object']
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => `"${name}" is required`)
  const mistyped = Object.entries(value).flatMap(([name, argument]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isObject(property) ? property.type : undefined
    const types = Array.isArray(type) ? type : [type]
    const isValid =
      type === undefined || argument === undefined || types.some((one) => isOfType(argument, one))
    return isValid ? [] : [`"${name}" must be ${types.join(' or ')}, not ${typeName(argument)}`]
  })
  return [...missing, ...mistyped]
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return typeName(value) === type
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
