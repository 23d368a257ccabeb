import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { ToolSearchError } from '../tool-search-error.ts'

/** A tool call from any provider. */
export interface ToolCall {
  readonly name: string
  /**
   * An object, or JSON text of one.
   * @default {}
   */
  readonly arguments?: unknown
  /** The provider's id of the call. The result has the same id. */
  readonly id?: string
  /** Problems the caller already found with this call, as sentences for the model. */
  readonly problems?: readonly string[]
}

const EXAMPLE =
  'Pass the name and the arguments that the model sent, for example ' +
  "{ name: 'read_file', arguments: { path: 'notes.txt' } }."

/** The program passed something that is not a tool call. */
class InvalidCallError extends ToolSearchError {
  override readonly name = 'InvalidCallError'
  readonly code = 'invalid_call'

  constructor(problem: string, expected: string = EXAMPLE) {
    super(`Not a tool call: ${problem}. ${expected}`)
  }
}

/** Without this check, a call of a provider would lose its arguments or its id. */
const PROVIDER_FIELDS: Readonly<Record<string, string>> = {
  input: '{ id: call.id, name: call.name, arguments: call.input }',
  args: '{ id: call.id, name: call.name, arguments: call.args }',
  call_id: '{ id: call.call_id, name: call.name, arguments: call.arguments }',
  toolCallId: '{ id: call.toolCallId, name: call.toolName, arguments: call.input }',
  function: '{ id: call.id, ...call.function }',
}

/**
 * Rejects values of the wrong type. These are mistakes in the program; an unknown or empty name is a
 * mistake of the model, which `checkCall` answers. @throws InvalidCallError
 */
export function requireToolCall(call: unknown): void {
  if (!isObject(call)) throw new InvalidCallError(`got ${describeValue(call)}`)
  const { name, id, problems } = call
  for (const [field, fix] of Object.entries(PROVIDER_FIELDS)) {
    if (Object.hasOwn(call, field)) {
      throw new InvalidCallError(`"${field}" is a field of a provider's call: pass ${fix}`)
    }
  }
  if (typeof name !== 'string') {
    throw new InvalidCallError(`"name" must be a string, got ${describeValue(name)}`)
  }
  if (id !== undefined && typeof id !== 'string') {
    throw new InvalidCallError(`"id" must be a string, got ${describeValue(id)}`)
  }
  if (problems !== undefined && !isListOfStrings(problems)) {
    throw new InvalidCallError(
      `"problems" must be a list of strings, got ${describeValue(problems)}`,
    )
  }
}

/** @throws InvalidCallError */
export function requireRunnable(call: unknown): void {
  if (isObject(call) && call.kind === 'run' && isObject(call.tool)) return
  const expected =
    "Pass a result of answer() whose kind is 'run', or pass the call itself to run()."
  throw new InvalidCallError(`got ${describeValue(call)}`, expected)
}

/** Names the kind of a value, for error messages. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const other: unknown = value.find((entry) => typeof entry !== 'string')
    return other === undefined ? 'a list of strings' : `a list with ${describeValue(other)}`
  }
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
