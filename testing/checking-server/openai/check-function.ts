import { invalidSchema } from '../invalid-schema.ts'
import type { Problem } from '../problem.ts'
import { missingParameter, openaiProblem } from './openai-problem.ts'

const NAME = /^[a-zA-Z0-9_-]+$/

/** Checks the characters and the length of a function name. */
export function checkName(name: unknown, param: string, maxLength: number): Problem | undefined {
  if (typeof name !== 'string') return missingParameter(param)
  if (!NAME.test(name)) {
    return openaiProblem(
      400,
      `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
      { param, code: 'invalid_value' },
    )
  }
  if (name.length > maxLength) {
    return openaiProblem(
      400,
      `Invalid '${param}': string too long. Expected a string with maximum length ${maxLength}, but got a string with length ${name.length} instead.`,
      { param, code: 'string_above_max_length' },
    )
  }
  return undefined
}

/** The parameters of a function must describe an object. */
export function checkSchema(name: string, schema: unknown, param: string): Problem | undefined {
  if (schema === undefined || schema === null) return undefined
  const { type } = schema as { type?: unknown }
  const reason =
    type !== 'object'
      ? `schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? 'None'}"'.`
      : REJECTED_AT_ROOT.some((keyword) => keyword in (schema as object))
        ? "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
        : invalidSchema(schema)
  if (reason === undefined) return undefined
  return openaiProblem(400, `Invalid schema for function '${name}': ${reason}`, {
    param,
    code: 'invalid_function_parameters',
  })
}

// https://github.com/anomalyco/opencode/pull/32489
const REJECTED_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']
