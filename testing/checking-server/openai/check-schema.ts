import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** The parameters of a function, if it has any, describe an object. */
export function checkSchema(name: string, schema: unknown, param: string): Problem | undefined {
  if (schema === undefined || schema === null) return undefined
  const { type } = schema as { type?: unknown }
  const words =
    type !== 'object'
      ? `schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? 'None'}"'.`
      : NOT_AT_THE_TOP.some((keyword) => keyword in (schema as object))
        ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
        : undefined
  if (words === undefined) return undefined
  return openaiProblem(400, `Invalid schema for function '${name}': ${words}`, {
    param,
    code: 'invalid_function_parameters',
  })
}

// https://github.com/anomalyco/opencode/pull/32489
const NOT_AT_THE_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']
