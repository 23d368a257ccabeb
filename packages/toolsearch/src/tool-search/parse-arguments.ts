import { isObject } from '../is-object.ts'

/**
 * Parses arguments that a model or a provider sent as JSON text. Missing arguments become `{}`.
 * Anything else, including text that is not JSON, is returned unchanged, so that validation can
 * tell the model what is wrong.
 */
export function parseArguments(input: unknown): unknown {
  const parsed = tryParseArguments(input)
  return 'value' in parsed ? parsed.value : input
}

/** Like `parseArguments`, but reports text that is not JSON as a problem. */
export function tryParseArguments(input: unknown): { value: unknown } | { problem: string } {
  if (typeof input !== 'string') return { value: input ?? {} }
  if (input.trim() === '') return { value: {} }
  try {
    return { value: JSON.parse(input) }
  } catch (error) {
    return { problem: `the arguments are not valid JSON: ${(error as Error).message}` }
  }
}

/** Parses arguments like `parseArguments`, and returns `{}` if the result is not an object. */
export function argumentFields(input: unknown): Record<string, unknown> {
  const value = parseArguments(input)
  return isObject(value) ? value : {}
}
