import { readObject } from './read-object.ts'
import type { SearchTool } from './search-behaviour.ts'

/** The tool through which found tools are called where a tool list must not grow. */
export const CALL_TOOL_NAME = 'call_tool'

export function callTool(searchToolName: string): SearchTool {
  return {
    name: CALL_TOOL_NAME,
    description:
      `Calls a tool that ${searchToolName} has found. Give its exact name, and arguments that fit ` +
      'the inputSchema in the search result.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The exact name of a tool that was found.' },
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

/** The call inside a call of the bridge; a call that is none is given back as it is. */
export function unwrapCall<Call extends { readonly name: string; readonly arguments?: unknown }>(
  call: Call,
): Call {
  if (call.name !== CALL_TOOL_NAME) return call
  const outer = readObject(call.arguments)
  const name = typeof outer.name === 'string' ? outer.name : ''
  return { ...call, name, arguments: outer.arguments }
}
