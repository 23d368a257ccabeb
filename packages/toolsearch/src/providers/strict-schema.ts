import { isObject } from '../is-object.ts'

const UNSUPPORTED = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'prefixItems',
  'contains',
  'uniqueItems',
]

export interface StrictRules {
  /** Whether properties may be optional. */
  readonly optional?: boolean
  /** Keywords that the service rejects in addition. */
  readonly unsupported?: readonly string[]
}

/**
 * Whether a schema meets the requirements of strict mode: all objects are closed, their properties
 * are required, and there are no unsupported keywords. Services reject a strict tool with any other
 * schema, and with it the whole request.
 */
export function fitsStrictMode(schema: unknown, rules: StrictRules = {}): boolean {
  if (!isObject(schema)) return false
  const { optional = false, unsupported = [] } = rules
  if ([...UNSUPPORTED, ...unsupported].some((keyword) => keyword in schema)) return false
  const { properties, required, items, anyOf, $defs, definitions } = schema
  if (isForObjects(schema)) {
    const names = Object.keys(isObject(properties) ? properties : {})
    const listed = Array.isArray(required) ? required : []
    if (schema.additionalProperties !== false) return false
    if (!optional && !names.every((name) => listed.includes(name))) return false
  } else if (!HAS_MEANING.some((keyword) => keyword in schema)) return false
  const inner = [properties, $defs, definitions].flatMap((group) =>
    isObject(group) ? Object.values(group) : [],
  )
  const others = [...(items === undefined ? [] : [items]), ...(Array.isArray(anyOf) ? anyOf : [])]
  return [...inner, ...others].every((part) => fitsStrictMode(part, rules))
}

const HAS_MEANING = ['type', 'anyOf', '$ref', 'enum', 'const']

function isForObjects({ type, properties }: Record<string, unknown>): boolean {
  return (
    properties !== undefined ||
    type === 'object' ||
    (Array.isArray(type) && type.includes('object'))
  )
}
