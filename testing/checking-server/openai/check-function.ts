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

/** With strict mode, every object must be closed and require all of its properties. */
export function checkStrict(name: string, schema: unknown, param: string): Problem | undefined {
  const reason = notStrict(schema)
  if (reason === undefined) return undefined
  return openaiProblem(400, `Invalid schema for function '${name}': ${reason}`, {
    param,
    code: 'invalid_function_parameters',
  })
}

function notStrict(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>
  if (type === 'object') {
    if (additionalProperties !== false) {
      return "In context=(), 'additionalProperties' is required to be supplied and to be false."
    }
    const missing = Object.keys(properties ?? {}).find(
      (key) => !(Array.isArray(required) && required.includes(key)),
    )
    if (missing !== undefined) {
      return `In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
    }
  }
  const unsupported = ['allOf', 'oneOf', 'not', 'patternProperties'].find((key) => key in schema)
  if (unsupported) return `In context=(), '${unsupported}' is not permitted.`
  for (const part of Object.values(schema)) {
    const reason = notStrict(part)
    if (reason !== undefined) return reason
  }
  return undefined
}
