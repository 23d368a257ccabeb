import { toJsonType } from './schema-keywords.ts'
import type { JsonSchema } from './tool.ts'

/** Whether a schema accepts objects, as far as its `type` says. Arguments always are one. */
export function hasObjectRoot({ type }: JsonSchema): boolean {
  const types = (Array.isArray(type) ? type : [type]).map(toJsonType)
  return types.includes('object') || types.includes(undefined)
}

/** What still makes sense for an object. Others, such as `enum`, would rule out every object. */
const KEPT = ['title', 'description', 'properties', 'required', '$defs', 'definitions']

/** The schema, or one for an object if it is for a string, an array or another value. */
export function withObjectRoot(schema: JsonSchema): JsonSchema {
  if (hasObjectRoot(schema)) return schema
  const kept = Object.entries(schema).filter(([keyword]) => KEPT.includes(keyword))
  return { type: 'object', properties: {}, ...Object.fromEntries(kept) }
}
