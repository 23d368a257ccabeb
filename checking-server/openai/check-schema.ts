import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** The parameters of a function, if it has any, describe an object. */
export function checkSchema(name: string, schema: unknown, param: string): Problem | undefined {
  if (schema === undefined || schema === null) return undefined
  const { type } = schema as { type?: unknown }
  if (type === 'object') return undefined
  return openaiProblem(
    400,
    `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${type ?? 'None'}"'.`,
    { param, code: 'invalid_function_parameters' },
  )
}
