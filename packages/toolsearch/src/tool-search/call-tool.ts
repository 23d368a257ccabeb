import { argumentFields } from './parse-arguments.ts'
import type { SearchTool } from './search-behaviour.ts'

/** The tool through which the model calls the tools it found, if the tool list must not grow. */
export const CALL_TOOL_NAME = 'call_tool'

export function callTool(searchToolName: string): SearchTool {
  return {
    name: CALL_TOOL_NAME,
    description:
      `Call a tool found with ${searchToolName}. Pass its exact name and arguments that match the ` +
      'inputSchema in the search result.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The exact name of a tool in a search result.' },
        arguments: {
          type: 'object',
          description: "The tool's arguments.",
          additionalProperties: true,
        },
      },
      required: ['name', 'arguments'],
      additionalProperties: false,
    },
  }
}

/** Returns the call wrapped in a `call_tool` call. Any other call is returned unchanged. */
export function unwrapCall<Call extends { readonly name: string; readonly arguments?: unknown }>(
  call: Call,
): Call {
  if (call.name !== CALL_TOOL_NAME) return call
  const wrapped = argumentFields(call.arguments)
  const name = typeof wrapped.name === 'string' ? wrapped.name : ''
  return { ...call, name, arguments: wrapped.arguments }
}
