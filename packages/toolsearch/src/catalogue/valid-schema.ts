import { fixSchema } from './fix-schema.ts'
import type { JsonSchema } from './tool.ts'

const cache = new WeakMap<JsonSchema, JsonSchema>()

/**
 * The schema as providers accept it: valid against the meta-schema of draft 2020-12. A provider
 * rejects the whole request if the schema of one tool is invalid. Type names of other languages
 * become JSON types (`dict` → `object`), older drafts are translated, and what cannot be fixed, such
 * as a dangling reference, is left out. Returns the same object if it is valid.
 *
 * @example
 * validSchema({ type: 'dict', properties: { size: { type: 'float' } } })
 * // { type: 'object', properties: { size: { type: 'number' } } }
 */
export function validSchema(schema: JsonSchema): JsonSchema {
  let valid = cache.get(schema)
  if (valid === undefined) {
    const fixed = fixSchema(schema)
    // What was left out may have been the target of a reference.
    valid = fixed === schema ? schema : fixSchema(fixed)
    cache.set(schema, valid)
  }
  return valid
}
