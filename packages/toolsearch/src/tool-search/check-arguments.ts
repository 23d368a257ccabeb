import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { errorText } from '../outputs/output-text.ts'
import { ToolSearchError } from '../tool-search-error.ts'
import { describeValue } from './tool-call.ts'

/**
 * Returns the problems with a call's arguments as sentences for the model, or an empty list. Plug
 * in a validator such as Ajv or `@cfworker/json-schema` here. If it throws because it cannot
 * compile a schema, `checkArguments` is used instead.
 */
export type ValidateArguments = (schema: JsonSchema, value: unknown) => readonly string[]

const NOT_AN_OBJECT = 'the arguments must be an object'

/** The `validate` option returned something other than a list of problems. */
class InvalidValidatorError extends ToolSearchError {
  override readonly name = 'InvalidValidatorError'
  readonly code = 'invalid_validator'

  constructor(returned: unknown) {
    super(
      `The "validate" option returned ${describeValue(returned)}. It must return a list of strings: one ` +
        'for each problem with the arguments, none if they are valid. It cannot be asynchronous.',
    )
  }
}

/**
 * Validates the arguments of a call and returns their final value, or the problems for the model.
 * The tool's own validator comes first, then the `validate` option, then `checkArguments`.
 *
 * @throws InvalidValidatorError
 */
export async function findProblems(
  { inputSchema, validator, problems: schemaProblems }: Tool,
  value: unknown,
  validate: ValidateArguments | undefined,
): Promise<{ value: Record<string, unknown> } | { problems: readonly string[] }> {
  if (!isObject(value)) return { problems: [NOT_AN_OBJECT] }
  if (validator) return runValidator(validator, value)
  // a schema that no validator can compile says nothing reliable about the arguments
  if (schemaProblems.some(({ path }) => path.startsWith('inputSchema'))) return { value }
  const problems = runValidate(validate, inputSchema, value) ?? checkArguments(inputSchema, value)
  return problems.length > 0 ? { problems } : { value }
}

async function runValidator(
  validator: NonNullable<Tool['validator']>,
  value: Record<string, unknown>,
): Promise<{ value: Record<string, unknown> } | { problems: readonly string[] }> {
  try {
    return (await validator(value)) as Awaited<ReturnType<typeof runValidator>>
  } catch (error) {
    return { problems: [errorText(error)] }
  }
}

/** Undefined if there is no validator, or if it cannot handle the schema. */
function runValidate(
  validate: ValidateArguments | undefined,
  schema: JsonSchema,
  value: unknown,
): readonly string[] | undefined {
  let problems: unknown
  try {
    problems = validate?.(schema, value)
  } catch {
    return undefined
  }
  if (validate === undefined || isListOfStrings(problems)) return problems as readonly string[]
  if (problems instanceof Promise) problems.catch(() => {})
  throw new InvalidValidatorError(problems)
}

/** Any other type, such as Python's `dict`, accepts every value. */
const TYPES: readonly unknown[] = ['string', 'number', 'boolean', 'object', 'array', 'null']

/** Checks what needs no validator: required properties and the types of top-level properties. */
export function checkArguments(schema: JsonSchema, value: unknown): readonly string[] {
  if (!isObject(value)) return [NOT_AN_OBJECT]
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
  return typeName(value) === type || !TYPES.includes(type)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
