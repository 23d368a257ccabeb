import type { JsonSchema } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'

/**
 * Tells what is wrong with a call's arguments, in sentences for the model; nothing wrong, an empty
 * list. A caller's own validator (Ajv, `@cfworker/json-schema`) goes here. It may throw on a schema
 * it cannot compile; `checkArguments` then stands in for it.
 */
export type ValidateArguments = (schema: JsonSchema, value: unknown) => readonly string[]

/** Checks what can be checked without a validator: required keys and the types of the first level. */
export function checkArguments(schema: JsonSchema, value: unknown): readonly string[] {
  if (!isObject(value)) return ['the arguments must be an object']
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required
    .filter((name) => !Object.hasOwn(value, name) || value[name] === undefined)
    .map((name) => `"${name}" is required`)
  const mistyped = Object.entries(value).flatMap(([name, given]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isObject(property) ? property.type : undefined
    const types = Array.isArray(type) ? type : [type]
    const isRight =
      type === undefined || given === undefined || types.some((one) => isOfType(given, one))
    return isRight ? [] : [`"${name}" must be ${types.join(' or ')}, not ${typeName(given)}`]
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
