import type { CallableTool } from '../callable-tool.ts'
import type { GeminiBody } from './gemini-body.ts'

export function callableTools({ tools = [], toolConfig }: GeminiBody): CallableTool[] {
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {}
  if (mode === 'NONE') return []
  const declared = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name = '', parameters, parametersJsonSchema }) => ({
      name,
      schema: parametersJsonSchema ?? fromOpenApi(parameters),
    })),
  )
  return allowed.length === 0 ? declared : declared.filter(({ name }) => allowed.includes(name))
}

/**
 * `parameters` is a subset of OpenAPI, with types in capital letters. The model fills only properties that it
 * declares: an object without any comes back empty.
 * @see https://github.com/livekit/agents/issues/7170
 */
function fromOpenApi(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema ?? {}), (key, value) => {
    if (key === 'type' && typeof value === 'string') return value.toLowerCase()
    if (typeof value !== 'object' || value === null) return value
    const { nullable, ...rest } = value
    const closed = rest.type === 'object' ? { ...rest, additionalProperties: false } : rest
    if (nullable === true) return { anyOf: [closed, { type: 'null' }] }
    return Array.isArray(value) ? value : closed
  })
}
