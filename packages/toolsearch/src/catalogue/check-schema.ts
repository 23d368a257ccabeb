import { isObject } from '../is-object.ts'
import { fixSchema } from './fix-schema.ts'

/** A part of a JSON Schema that no validator can compile. */
export interface SchemaProblem {
  /** Where it is, such as `properties.limit.type`; empty for the schema itself. */
  readonly path: string
  readonly problem: string
  /** What to write instead. */
  readonly fix: string
}

const MAX_PROBLEMS = 100

/**
 * Lists what prevents validators from compiling a schema: unknown types, invalid regular
 * expressions, dangling references, keywords with a value of the wrong kind. Stops after 100
 * problems. Does not check against the meta-schema: unknown keywords are valid JSON Schema.
 *
 * The schema must be JSON: a tree without cycles.
 */
export function checkSchema(schema: unknown): readonly SchemaProblem[] {
  if (!isObject(schema)) {
    return [{ path: '', problem: 'is not a JSON Schema object', fix: 'use an object' }]
  }
  const problems: SchemaProblem[] = []
  fixSchema(schema, (path, problem, fix) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path: path.join('.'), problem, fix })
  })
  return problems
}
