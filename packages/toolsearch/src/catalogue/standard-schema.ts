import { isObject } from '../is-object.ts'
import type { Tool } from './tool.ts'

/**
 * A schema of Zod, Valibot, ArkType or another library that implements Standard Schema. It is
 * converted to JSON Schema by its own Standard JSON Schema support, or by `toJsonSchema`.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => unknown
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => unknown
          readonly output: (options: { readonly target: 'draft-2020-12' | 'draft-07' }) => unknown
        }
      | undefined
  }
}

/**
 * Converts a schema without JSON Schema support of its own. Gets the schema as it was passed, for
 * example a Valibot schema.
 */
export type ToJsonSchema = (schema: never) => object

export function isStandardSchema(value: unknown): value is StandardSchema {
  const canHave = isObject(value) || typeof value === 'function'
  return canHave && '~standard' in value && isObject(value['~standard'])
}

export type Validator = NonNullable<Tool['validator']>

const validators = new WeakMap<object, Validator>()

/** The same function for the same schema, so that a tool that is added again counts as unchanged. */
export function validatorOf(schema: object, validate: (value: unknown) => unknown): Validator {
  const known = validators.get(schema)
  if (known) return known
  const validator: Validator = async (value) => {
    const result = await validate(value)
    // ArkType returns an array with additional properties
    const { issues, error } = (result ?? {}) as ValidationResult
    const found = issues ?? (error as ValidationResult | undefined)?.issues
    if (Array.isArray(found)) return { problems: found.map(describeIssue) }
    if (error !== undefined) return { problems: [String((error as Error).message ?? error)] }
    return { value: (result as { value: unknown }).value }
  }
  validators.set(schema, validator)
  return validator
}

interface ValidationResult {
  readonly issues?: unknown
  /** The AI SDK's schemas return an error instead of a list of issues. */
  readonly error?: unknown
}

/** @example 'at city: expected string' */
function describeIssue(issue: unknown): string {
  const { message, path } = (isObject(issue) ? issue : {}) as { message?: unknown; path?: unknown }
  const steps = Array.from((path ?? []) as Iterable<unknown>, (step) =>
    String(isObject(step) ? step.key : step),
  )
  return steps.length > 0 ? `at ${steps.join('.')}: ${message}` : String(message)
}
