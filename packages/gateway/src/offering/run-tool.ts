import type { ValidateArguments } from 'toolsearch'
import { isReadAs } from '../access/resembling-names.ts'
import type { Rights } from '../access/rights.ts'
import { isObject, type JsonObject, textOf } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { isTask } from '../protocol/task-extension.ts'
import { type CallToolOptions, callTool } from '../upstreams/call-tool.ts'
import { approvalNeeded } from './approval-needed.ts'
import { failure } from './call-failure.ts'
import type { CallOptions, CallTarget } from './gateway-view.ts'
import { parameterNames } from './hide-parameters.ts'
import type { CallResult } from './large-results.ts'
import { DESCRIBE } from './meta-tools/describe-tools.ts'
import type { CallContext, RunTool, ToolCall } from './meta-tools/meta-tool.ts'
import type { PresentResult } from './present-result.ts'
import { readerOf } from './result-reader.ts'
import type { ToolOrigin } from './synced-tools.ts'
import type { TaskRecord, TaskRecords } from './task-records.ts'
import type { UseFollower } from './use-follower.ts'
import { judged } from './visible-tools.ts'

export interface RunToolOptions
  extends Pick<
    CallContext,
    'shared' | 'tools' | 'skills' | 'listing' | 'servers' | 'results' | 'scripts' | 'config'
  > {
  readonly rights: Rights
  readonly validate: ValidateArguments
  readonly tasks: TaskRecords
  readonly presentResult: PresentResult
  /** Learns from calls. @default nothing is learned */
  readonly uses?: UseFollower | undefined
}

/** How many times as long as a call a task may take, if the client waits for it. */
const LONGEST_TASK = 10

/** Calls the tools of servers for one view. */
export function createRunTool(options: RunToolOptions): RunTool {
  const { shared, tools, listing, servers, rights, config, validate, results } = options
  const { tasks, presentResult } = options
  return runTool

  async function runTool(
    call: ToolCall,
    callOptions: CallOptions,
    isDirect: boolean,
  ): Promise<CallResult> {
    const { name } = call
    const known = tools.origin(name)
    if (known?.skill) return failure(`"${name}" is a skill. Read it with ${DESCRIBE}.`)
    if (known && shared.isWithheld(known)) {
      // It may have been accepted in another process.
      await shared.refreshApprovals()
      if (shared.isWithheld(known)) return failure(approvalNeeded(shared, known))
    }
    const problem = isValid(call) ? undefined : await explainProblem(call)
    if (problem) {
      // It contains the schema, which may be long.
      const { resultChars } = config().limits
      return listing.isSearching && !callOptions.script
        ? results.truncate(problem, resultChars, readerOf(callOptions))
        : problem
    }
    const origin = tools.origin(name)!
    const { server, tool, fixed } = origin
    const upstream = servers.upstreams.get(server)!
    const given = fixed ? { ...call, arguments: withFixed(call.arguments, fixed, tool) } : call
    if (!mayCall(origin, given.arguments, callOptions)) {
      return failure(
        `The call was not executed: these arguments of "${name}" are not permitted for you.`,
      )
    }
    const result = await callTool(
      upstream,
      tool,
      { ...given, name: tool.name },
      { ...callOptions, ...waiting(server, callOptions) },
    )
    if (!isTask(result) && result.isError !== true) options.uses?.called(name, callOptions)
    return isTask(result)
      ? startTask(
          { server, task: textOf(result.taskId), tool: name, isDirect },
          result,
          callOptions,
        )
      : presentResult(server, result, callOptions, isDirect)
  }

  function waiting(
    server: string,
    { script }: CallOptions,
  ): Pick<CallToolOptions, 'waitsForTasks' | 'totalMs'> {
    const settings = shared.settings(server)
    const { callMs } = settings?.limits ?? config().limits
    return {
      waitsForTasks: script !== undefined || (settings?.waitForTasks ?? true),
      totalMs: callMs * LONGEST_TASK,
    }
  }

  /** The task under an id of the gateway, by which only this caller can ask for it. */
  async function startTask(
    record: TaskRecord,
    created: JsonObject,
    { caller }: CallOptions,
  ): Promise<CallResult> {
    const { ttlMs } = created
    const keepMs = typeof ttlMs === 'number' ? ttlMs : undefined
    const taskId = await tasks.create(record, caller, keepMs)
    return { ...created, taskId }
  }

  /** The decision about the arguments. The tool itself is visible. */
  function mayCall(origin: ToolOrigin, args: JsonObject, { onDecision }: CallOptions): boolean {
    if (tools.isEverything && !onDecision) return true
    const decision = rights.call(judged(origin), args)
    onDecision?.(callTarget(origin), decision)
    return decision.isAllowed
  }

  /** Hot path: most calls are valid and need no other check. */
  function isValid(call: ToolCall): boolean {
    const schema = tools.get(call.name)?.inputSchema
    if (schema === undefined || !isObject(call.arguments)) return false
    try {
      return validate(schema, call.arguments).length === 0
    } catch {
      // The session has a simpler check for schemas that do not compile.
      return false
    }
  }

  /** The answer to an invalid call; undefined if the call turns out to be valid. */
  async function explainProblem(call: ToolCall): Promise<CallResult | undefined> {
    const { name, arguments: args } = call
    const result = await (await tools.session).answer({ name, arguments: args })
    return result.kind === 'answered' ? failure(result.text) : undefined
  }
}

/** A tool as the target of a decision. */
export function callTarget({ server, tool, skill }: ToolOrigin): CallTarget {
  if (skill) return { kind: 'skill', server, name: skill.path }
  return { kind: 'tool', server, name: tool.name }
}

/** The arguments with fixed values, and without those that the server could read instead, such as `Account` for `account`. */
function withFixed(args: JsonObject, fixed: JsonObject, { inputSchema }: McpTool): JsonObject {
  const declared = new Set(isObject(inputSchema) ? parameterNames(inputSchema) : [])
  const names = Object.keys(fixed)
  const kept = Object.entries(args).filter(
    ([key]) => declared.has(key) || !names.some((name) => isReadAs(key, name)),
  )
  return { ...Object.fromEntries(kept), ...fixed }
}
