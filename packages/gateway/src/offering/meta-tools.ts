import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Effect } from './effect.ts'

export const SEARCH = 'tool_search'
export const DESCRIBE = 'describe_tools'
export const READ_RESULT = 'read_result'
export const CALL = 'call_tool'
export const CALL_BY_EFFECT: Readonly<Record<Effect, string>> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
}
/** Names that no tool of a server may have, whatever the mode. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  SEARCH,
  DESCRIBE,
  READ_RESULT,
  CALL,
  ...Object.values(CALL_BY_EFFECT),
])

/** Marks a tool whose definition is another than the approved one, wherever it is shown. */
export const CHANGED = 'changed_since_approval'

const READS = { readOnlyHint: true, openWorldHint: false }

/** The tools of the gateway itself: the same list in the same order, whatever is behind it. */
export function metaTools(callTools: 'one' | 'by-effect'): McpTool[] {
  const calls =
    callTools === 'one'
      ? [callTool(CALL, 'Calls a tool that tool_search has found.', {})]
      : [
          callTool(
            CALL_BY_EFFECT.read,
            'Calls a found tool that only reads (effect "read" in the search result).',
            { readOnlyHint: true },
          ),
          callTool(
            CALL_BY_EFFECT.write,
            'Calls a found tool that adds or changes but destroys nothing (effect "write").',
            { readOnlyHint: false, destructiveHint: false },
          ),
          callTool(
            CALL_BY_EFFECT.destructive,
            'Calls a found tool that may delete or overwrite (effect "destructive").',
            { readOnlyHint: false, destructiveHint: true },
          ),
        ]
  return [
    tool(
      SEARCH,
      'Finds tools by what they do. Most tools are not in your list: search before you conclude that ' +
        'something cannot be done.',
      {
        query: {
          type: 'string',
          description:
            'A few words for what the tool should do ("create calendar event"), a word every result ' +
            'must have ("+github open issues"), or exact names ("select:a,b").',
        },
        max_results: {
          type: 'integer',
          minimum: 1,
          maximum: 25,
          description: 'How many at most. 5 if left out.',
        },
      },
      ['query'],
      READS,
    ),
    tool(
      DESCRIBE,
      'Gives the full definitions of tools by their exact names.',
      { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 } },
      ['names'],
      READS,
    ),
    ...calls,
    tool(
      READ_RESULT,
      'Gives the next part of a result that was cut. The cut result names the id and the offset.',
      { id: { type: 'string' }, offset: { type: 'integer', minimum: 0 } },
      ['id', 'offset'],
      READS,
    ),
  ]
}

function callTool(name: string, description: string, annotations: object): McpTool {
  return tool(
    name,
    `${description} Wrong arguments are answered with the schema.`,
    {
      name: { type: 'string', description: 'The exact name of the tool.' },
      arguments: {
        type: 'object',
        description: "The tool's arguments.",
        additionalProperties: true,
      },
    },
    ['name', 'arguments'],
    annotations,
  )
}

function tool(
  name: string,
  description: string,
  properties: object,
  required: readonly string[],
  annotations: object,
): McpTool {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    annotations,
    // clients that defer tools themselves would hide the search behind their own
    _meta: { 'anthropic/alwaysLoad': true },
  }
}
