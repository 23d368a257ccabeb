import type { CallableTool } from '../callable-tool.ts'
import type { GeminiBody } from './gemini-body.ts'

export function callableTools({ tools = [] }: GeminiBody): CallableTool[] {
  return tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name = '', parameters, parametersJsonSchema }) => ({
      name,
      schema: withoutUndeclared(parametersJsonSchema ?? fromOpenApi(parameters)),
    })),
  )
}

/**
 * Gemini fills only properties that a schema declares. An object for which it declares none, and no
 * `additionalProperties` either, comes back empty.
 * @see https://github.com/livekit/agents/issues/7170
 */
function withoutUndeclared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutUndeclared)
  if (typeof schema !== 'object' || schema === null) return schema
  const isClosed = 'type' in schema && schema.type === 'object' && !('anyOf' in schema)
  return {
    ...(isClosed && { additionalProperties: false }),
    ...Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, withoutUndeclared(value)]),
    ),
  }
}

/** `parameters` is a subset of OpenAPI, with types in capital letters. */
function fromOpenApi(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema ?? {}), (key, value) => {
    if (key === 'type' && typeof value === 'string') return value.toLowerCase()
    const { nullable, ...rest } = value ?? {}
    return nullable === true ? { anyOf: [rest, { type: 'null' }] } : value
  })
}
