import type { Effect } from '../access/effect.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'

export const SEARCH = 'tool_search'
export const DESCRIBE = 'describe_tools'
export const READ_RESULT = 'read_result'
export const CALL = 'call_tool'
export const CALL_BY_EFFECT: Readonly<Record<Effect, string>> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
}

/** Reserved in every mode: a server's tool of the same name always gets its server's prefix. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  SEARCH,
  DESCRIBE,
  READ_RESULT,
  CALL,
  ...Object.values(CALL_BY_EFFECT),
])

/** How many searches one call can contain. */
export const MAX_QUERIES = 8

/** Field that marks a tool whose definition differs from the approved one. */
export const CHANGED = 'changed_since_approval'

/** Whether this meta tool calls another tool. */
export function isCallTool(name: string): boolean {
  return name === CALL || Object.values(CALL_BY_EFFECT).includes(name)
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

/**
 * The gateway's own tools.
 *
 * @param directory the servers whose tools can be found, for the model
 */
export function metaTools(callTools: 'one' | 'by-effect', directory: string): McpTool[] {
  const calls =
    callTools === 'one'
      ? [callTool(CALL, 'Call a tool found with tool_search.', {})]
      : [
          callTool(
            CALL_BY_EFFECT.read,
            'Call a found tool that is read-only (effect "read" in the search result).',
            { readOnlyHint: true },
          ),
          callTool(
            CALL_BY_EFFECT.write,
            'Call a found tool that adds or changes data but deletes nothing (effect "write").',
            { readOnlyHint: false, destructiveHint: false },
          ),
          callTool(
            CALL_BY_EFFECT.destructive,
            'Call a found tool that may delete or overwrite data (effect "destructive").',
            { readOnlyHint: false, destructiveHint: true },
          ),
        ]
  return [
    tool(
      SEARCH,
      'Find tools by what they do. Most tools are not in your list: search before you conclude that ' +
        `something cannot be done.${directory === '' ? '' : ` Servers: ${directory}.`}`,
      {
        query: {
          type: 'string',
          description:
            'A few words for what the tool should do, in the language of the tools and without dates, ' +
            'people or other details ("create calendar event"); a word that every result must contain ' +
            '("+github open issues"); or exact names ("select:a,b").',
        },
        queries: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MAX_QUERIES,
          description:
            'Instead of query: one for each kind of tool that a task needs, in a single call.',
        },
        max_results: {
          type: 'integer',
          minimum: 1,
          maximum: 25,
          description: 'Maximum number of results. Default: 5, or 2 for each of several queries.',
        },
      },
      [],
      READ_ONLY,
    ),
    tool(
      DESCRIBE,
      'Get the full definitions of tools by their exact names. tool_search already shows all ' +
        'parameters (? optional, = default, limits in parentheses) and cuts long descriptions (…).',
      { names: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 } },
      ['names'],
      READ_ONLY,
    ),
    ...calls,
    tool(
      READ_RESULT,
      'Get the next part of a truncated result. The truncated result states the id and the offset.',
      { id: { type: 'string' }, offset: { type: 'integer', minimum: 0 } },
      ['id', 'offset'],
      READ_ONLY,
    ),
  ]
}

function callTool(name: string, description: string, annotations: object): McpTool {
  return tool(
    name,
    `${description} Wrong arguments return the schema.`,
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
    // Clients with a tool search of their own would otherwise defer these tools as well.
    _meta: { 'anthropic/alwaysLoad': true },
  }
}
