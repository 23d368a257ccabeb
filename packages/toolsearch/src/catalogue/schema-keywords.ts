/** Keywords whose value is a schema. */
export const SCHEMA_KEYWORDS: readonly string[] = [
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]

/** Keywords whose value is a list of schemas. */
export const SCHEMA_LIST_KEYWORDS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Keywords whose value is an object of schemas. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]

export const TYPES: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]

const TYPES_OF_OTHER_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ...['dict', 'map', 'mapping', 'record', 'hash', 'json'].map((name) => [name, 'object'] as const),
  ...['float', 'double', 'decimal', 'real'].map((name) => [name, 'number'] as const),
  ...['int', 'long', 'short', 'bigint'].map((name) => [name, 'integer'] as const),
  ...['str', 'text', 'char', 'date', 'datetime', 'date-time', 'time', 'uuid', 'uri', 'enum'].map(
    (name) => [name, 'string'] as const,
  ),
  ...['list', 'tuple', 'set', 'sequence'].map((name) => [name, 'array'] as const),
  ['bool', 'boolean'],
  ['none', 'null'],
])

/** The JSON Schema type that a type name of another language stands for, such as `dict` or `float`. */
export function toJsonType(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const lower = name.trim().toLowerCase()
  return TYPES.includes(lower) ? lower : TYPES_OF_OTHER_LANGUAGES.get(lower)
}

/** Whether a regular expression is valid. */
export function compiles(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string') return false
  // JSON Schema specifies the "u" flag, but many real-world patterns only compile without it
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags)
      return true
    } catch {}
  }
  return false
}
