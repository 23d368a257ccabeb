import type { ValidateArguments } from 'toolsearch'
import type { Rights } from '../access/rights.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { approvalNeeded } from './approval-needed.ts'
import { failure } from './call-failure.ts'
import type { CallOptions, CallTarget } from './gateway-view.ts'
import { type CallResult, longDataAsText } from './large-results.ts'
import type { CallContext, RunTool, ToolCall } from './meta-tools/meta-tool.ts'
import { readerOf } from './result-reader.ts'
import type { ToolOrigin } from './synced-tools.ts'
import { judged } from './visible-tools.ts'

export interface RunToolOptions
  extends Pick<CallContext, 'shared' | 'tools' | 'listing' | 'servers' | 'results' | 'config'> {
  readonly rights: Rights
  readonly validate: ValidateArguments
}

/** Calls the tools of servers for one view. */
export function createRunTool(options: RunToolOptions): RunTool {
  const { shared, tools, listing, servers, rights, config, validate, results } = options
  return runTool

  async function runTool(
    call: ToolCall,
    callOptions: CallOptions,
    isDirect: boolean,
  ): Promise<CallResult> {
    const { name } = call
    const known = tools.origin(name)
    if (known && shared.isWithheld(known)) {
      // It may have been accepted in another process.
      await shared.refreshApprovals()
      if (shared.isWithheld(known)) return failure(approvalNeeded(shared, known))
    }
    const problem = isValid(call) ? undefined : await explainProblem(call)
    if (problem) {
      // It contains the schema, which may be long.
      const { resultChars } = config().limits
      return listing.isSearching
        ? results.truncate(problem, resultChars, readerOf(callOptions))
        : problem
    }
    const origin = tools.origin(name)!
    const { server, tool, fixed } = origin
    const upstream = servers.upstreams.get(server)!
    // Last, so that an argument of the caller cannot replace a fixed value.
    const given = fixed ? { ...call, arguments: { ...call.arguments, ...fixed } } : call
    if (!mayCall(origin, given.arguments, callOptions)) {
      return failure(
        `The call was not executed: these arguments of "${name}" are not permitted for you.`,
      )
    }
    const result = await upstream.request('tools/call', { ...given, name: tool.name }, callOptions)
    if (!hasReadableContent(result)) {
      return failure(`${server} returned an invalid result: "content" is not a list of blocks.`)
    }
    callOptions.onResult?.(server, result)
    // Nobody could read the rest: clients that call tools directly may not see `read_result`.
    if (isDirect && !listing.isSearching) return result
    const { resultChars } = shared.settings(server)?.limits ?? config().limits
    const readable = isDirect ? result : longDataAsText(result, resultChars)
    return results.truncate(readable, resultChars, readerOf(callOptions))
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
export function callTarget({ server, tool }: ToolOrigin): CallTarget {
  return { kind: 'tool', server, name: tool.name }
}

function hasReadableContent({ content }: JsonObject): boolean {
  return content === undefined || (Array.isArray(content) && content.every(isObject))
}
