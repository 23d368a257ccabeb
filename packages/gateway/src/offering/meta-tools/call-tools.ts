import { parseArguments } from 'toolsearch'
import { type Effect, effectOf } from '../../access/effect.ts'
import { isTooDeep, MAX_DEPTH } from '../../protocol/is-too-deep.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import { failure } from '../call-failure.ts'
import type { CallOptions } from '../gateway-view.ts'
import type { CallResult } from '../large-results.ts'
import type { ViewConfig } from '../view-config.ts'
import { type CallContext, type MetaTool, metaToolDefinition, type ToolCall } from './meta-tool.ts'

export const CALL = 'call_tool'
export const CALL_BY_EFFECT: Readonly<Record<Effect, string>> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
}

/** Whether this meta tool calls another tool. */
export function isCallTool(name: string): boolean {
  return name === CALL || Object.values(CALL_BY_EFFECT).includes(name)
}

/** The meta tools that call a found tool: one for all, or one for each effect. */
export const callTools: readonly MetaTool[] = [
  callTool(CALL, 'one', 'Call a tool found with tool_search.', {}),
  callTool(
    CALL_BY_EFFECT.read,
    'by-effect',
    'Call a found tool that is read-only (effect "read" in the search result).',
    { readOnlyHint: true },
  ),
  callTool(
    CALL_BY_EFFECT.write,
    'by-effect',
    'Call a found tool that adds or changes data but deletes nothing (effect "write").',
    { readOnlyHint: false, destructiveHint: false },
  ),
  callTool(
    CALL_BY_EFFECT.destructive,
    'by-effect',
    'Call a found tool that may delete or overwrite data (effect "destructive").',
    { readOnlyHint: false, destructiveHint: true },
  ),
]

function callTool(
  name: string,
  offeredIf: ViewConfig['callTools'],
  description: string,
  annotations: object,
): MetaTool {
  const definition = metaToolDefinition(
    name,
    `${description} Wrong arguments return the schema.`,
    {
      properties: {
        name: { type: 'string', description: 'The exact name of the tool.' },
        arguments: {
          type: 'object',
          description: "The tool's arguments.",
          additionalProperties: true,
        },
      },
      required: ['name', 'arguments'],
    },
    annotations,
  )
  return {
    name,
    definition: ({ config }) => (config.callTools === offeredIf ? definition : undefined),
    answer: callThrough,
  }
}

async function callThrough(
  call: ToolCall,
  options: CallOptions,
  { shared, tools, config, awaitServer, runTool, reportHidden }: CallContext,
): Promise<CallResult> {
  const { name, arguments: inner = {} } = call.arguments
  if (typeof name !== 'string') return failure('Pass the exact name of a tool as "name".')
  await shared.addAccepted()
  if (!tools.origin(name)) {
    reportHidden(name, options)
    const unavailable = await awaitServer(name, options.signal)
    if (unavailable !== undefined) return failure(unavailable)
  }
  const tool = tools.get(name)
  if (tool && config().callTools === 'by-effect') {
    const effect = effectOf(tool)
    if (call.name !== CALL_BY_EFFECT[effect]) {
      const kind = effect === 'read' ? 'read-only' : effect
      return failure(`"${name}" is ${kind}: call it with ${CALL_BY_EFFECT[effect]}.`)
    }
  }
  const args = parseArguments(inner)
  if (isTooDeep(args)) return failure(`The arguments are nested deeper than ${MAX_DEPTH} levels.`)
  return runTool({ ...call, name, arguments: args as JsonObject }, options, false)
}
