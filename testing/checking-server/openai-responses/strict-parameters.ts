/**
 * The schema that the service makes of a function without `strict`: every object is closed and requires all
 * of its properties. Undefined if the schema accepts properties that it does not declare: then the function
 * is not strict.
 */
export function strictParameters(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map(strictParameters)
    return items.includes(undefined) ? undefined : items
  }
  if (typeof schema !== 'object' || schema === null) return schema
  const { additionalProperties = false } = schema as Record<string, unknown>
  if (additionalProperties !== false) return undefined
  const entries = Object.entries(schema).map(([key, value]) => [key, strictParameters(value)])
  if (entries.some(([, value]) => value === undefined)) return undefined
  const { type, properties = {} } = schema as Record<string, unknown>
  return {
    ...Object.fromEntries(entries),
    ...(type === 'object' && {
      additionalProperties: false,
      required: Object.keys(properties as object),
    }),
  }
}
