import {
  parseArguments,
  type Session,
  type SourceState,
  type Tool,
  type ValidateArguments,
} from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import type { Rights } from '../access/rights.ts'
import { type Caller, LOCAL_CALLER } from '../identity/caller.ts'
import { LOCAL_PERSON } from '../identity/person.ts'
import { isTooDeep, MAX_DEPTH } from '../protocol/is-too-deep.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { ApprovalState } from './approvals/approvals.ts'
import { createAwaitServer } from './await-server.ts'
import type { CallOptions, CallTarget, GatewayView, SearchInOptions } from './gateway-view.ts'
import { type CallResult, type LargeResults, longDataAsText } from './large-results.ts'
import { CALL_BY_EFFECT, CHANGED, DESCRIBE, isCallTool, READ_RESULT, SEARCH } from './meta-tools.ts'
import { searchTools } from './search-tools.ts'
import type { SharedTools } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'
import type { ToolListing } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'
import type { ViewConfig } from './view-config.ts'
import { judged, type VisibleTools } from './visible-tools.ts'

/** The params of a call. `arguments` has been defaulted but not checked. */
type Call = JsonObject & { readonly name: string; readonly arguments: JsonObject }

export interface AnswerCallsOptions {
  readonly tools: VisibleTools
  readonly listing: ToolListing
  readonly servers: UpstreamSet
  readonly rights: Rights
  readonly config: () => ViewConfig
  readonly validate: ValidateArguments
  readonly results: LargeResults
}

export interface CallAnswers extends Pick<GatewayView, 'searchIn'> {
  /** Answers a call of a meta tool or of a server's tool. Rejects if the request to a server does. */
  answer(call: Call, options: CallOptions): Promise<CallResult>
}

/** Answers the calls of one view. What its callers may not use does not exist here. */
export function answerCalls(
  shared: SharedTools,
  { tools, listing, servers, rights, config, validate, results }: AnswerCallsOptions,
): CallAnswers {
  const awaitServer = createAwaitServer(shared, tools, servers)
  return { answer, searchIn }

  async function answer(call: Call, options: CallOptions): Promise<CallResult> {
    const { name, arguments: args } = call
    if (tools.origin(name)) return run(call, options)
    if (name === SEARCH) return search(args, options)
    if (name === DESCRIBE) return describe(args.names, options)
    if (name === READ_RESULT) {
      const { resultChars } = config().limits
      const offset = Number(args.offset) || 0
      return results.read(String(args.id), { offset, limit: resultChars, reader: reader(options) })
    }
    if (isCallTool(name)) return callThrough(call, options)
    reportHidden(name, options)
    const unavailable = await awaitServer(name, options.signal)
    return unavailable === undefined ? run(call, options) : failure(unavailable)
  }

  async function search(args: JsonObject, options: CallOptions): Promise<CallResult> {
    if (args.query === undefined && [args.queries ?? []].flat().every((each) => each === '')) {
      const error = 'Pass "query", or several "queries": a few words for what a tool should do.'
      return failure(JSON.stringify({ error }))
    }
    const { outcome, searches, definitions, result } = await searchIn(
      await tools.session,
      args,
      // The session is shared: what one person repeats must not depend on another.
      { countsRepeats: options.caller === undefined || isLocal(options.caller) },
    )
    options.onFound?.(outcome.hits.map(({ tool }) => tool.name))
    options.onSearched?.(searches)
    options.onDefinitions?.(definitions)
    return result
  }

  async function searchIn(
    open: Session,
    args: JsonObject,
    { countsRepeats = true, ...options }: SearchInOptions = {},
  ): ReturnType<GatewayView['searchIn']> {
    await shared.addAccepted()
    const { outcome, searches, answer } = await searchTools(open, args, {
      ...options,
      annotate: notes,
      adjust: (found) => ({
        ...found,
        ...(!tools.isEverything && { notReady: notReady() }),
        ...(!countsRepeats && { repeats: 0 }),
      }),
    })
    const { loaded = [] } = answer.data as { loaded?: readonly JsonObject[] }
    return {
      outcome,
      searches,
      // Entries without parameters only refer to the definition.
      definitions: loaded.filter((entry) => typeof entry.arguments === 'string'),
      result: { content: [text(answer.text)], ...(answer.isError && { isError: true }) },
    }
  }

  /** The servers that could not be searched. */
  function notReady(): SourceState[] {
    return [...servers.upstreams.values()].flatMap(({ name, status: { state, detail } }) =>
      state === 'ready' || state === 'idle'
        ? []
        : { source: `mcp:${name}`, state, ...(detail !== undefined && { detail }) },
    )
  }

  async function describe(names: unknown, options: CallOptions): Promise<CallResult> {
    await shared.addAccepted()
    const wanted = typeof names === 'string' ? [names] : names
    if (!Array.isArray(wanted)) return failure('"names" must be a list of tool names.')
    const found = wanted.flatMap((name) => tools.get(String(name)) ?? [])
    const others = wanted.map(String).filter((name) => !tools.get(name))
    const withheld = others.flatMap((name) => tools.origin(name) ?? []).map(approvalNeeded)
    const missing = others.filter((name) => !tools.origin(name))
    for (const name of missing) reportHidden(name, options)
    const definitions = found.map((tool) => ({ ...listing.definition(tool), ...notes(tool) }))
    const json = JSON.stringify({
      tools: definitions,
      ...(withheld.length > 0 && { withheld }),
      ...(missing.length > 0 && { missing }),
    })
    const { resultChars } = config().limits
    if (json.length <= resultChars) options.onDefinitions?.(definitions)
    return results.truncate({ content: [text(json)] }, resultChars, reader(options))
  }

  /** What the gateway adds to a tool's definition in its answers. */
  function notes(tool: Tool): JsonObject {
    return {
      ...(config().callTools === 'by-effect' && { effect: effectOf(tool) }),
      ...(approvalOf(tool.name) === 'changed' && { [CHANGED]: true }),
    }
  }

  function approvalOf(name: string): ApprovalState | undefined {
    const origin = tools.origin(name)
    return origin && shared.approvalOf(origin)
  }

  /** Why a tool is withheld, and how a person can change that. */
  function approvalNeeded(origin: ToolOrigin): string {
    const { name } = origin
    const reasons = {
      new: `"${name}" is new and has not been approved.`,
      blocked: `"${name}" is blocked.`,
      changed: `The definition of "${name}" changed since it was approved.`,
    }
    const state = shared.approvalOf(origin)
    const reason = state === 'approved' ? reasons.changed : reasons[state]
    return `${reason} It cannot be called until a person runs: toolsearch accept ${name}`
  }

  async function callThrough(call: Call, options: CallOptions): Promise<CallResult> {
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
    return run({ ...call, name, arguments: args as JsonObject }, options, false)
  }

  /** Calls a server's tool, unless the call cannot succeed. */
  async function run(call: Call, options: CallOptions, isDirect = true): Promise<CallResult> {
    const { name } = call
    const known = tools.origin(name)
    if (known && shared.isWithheld(known)) {
      // It may have been accepted in another process.
      await shared.refreshApprovals()
      if (shared.isWithheld(known)) return failure(approvalNeeded(known))
    }
    const problem = isValid(call) ? undefined : await explainProblem(call)
    if (problem) {
      // It contains the schema, which may be long.
      const { resultChars } = config().limits
      return listing.isSearching ? results.truncate(problem, resultChars, reader(options)) : problem
    }
    const origin = tools.origin(name)!
    const { server, tool, fixed } = origin
    const upstream = servers.upstreams.get(server)!
    // Last, so that an argument of the caller cannot replace a fixed value.
    const given = fixed ? { ...call, arguments: { ...call.arguments, ...fixed } } : call
    if (!mayCall(origin, given.arguments, options)) {
      return failure(
        `The call was not executed: these arguments of "${name}" are not permitted for you.`,
      )
    }
    const result = await upstream.request('tools/call', { ...given, name: tool.name }, options)
    if (!hasReadableContent(result)) {
      return failure(`${server} returned an invalid result: "content" is not a list of blocks.`)
    }
    options.onResult?.(server, result)
    // Nobody could read the rest: clients that call tools directly may not see `read_result`.
    if (isDirect && !listing.isSearching) return result
    const { resultChars } = shared.settings(server)?.limits ?? config().limits
    const readable = isDirect ? result : longDataAsText(result, resultChars)
    return results.truncate(readable, resultChars, reader(options))
  }

  /** The decision about the arguments. The tool itself is visible. */
  function mayCall(origin: ToolOrigin, args: JsonObject, { onDecision }: CallOptions): boolean {
    if (tools.isEverything && !onDecision) return true
    const decision = rights.call(judged(origin), args)
    onDecision?.(targetOf(origin), decision)
    return decision.isAllowed
  }

  /** Tells administrators that somebody asked for a tool that exists, but not for this caller. */
  function reportHidden(name: string, { onDecision }: CallOptions): void {
    const hidden = onDecision && tools.decide(name)
    if (hidden && !hidden.decision.isAllowed) onDecision(targetOf(hidden.origin), hidden.decision)
  }

  /** Hot path: most calls are valid and need no other check. */
  function isValid(call: Call): boolean {
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
  async function explainProblem(call: Call): Promise<CallResult | undefined> {
    const { name, arguments: args } = call
    const result = await (await tools.session).answer({ name, arguments: args })
    return result.kind === 'answered' ? failure(result.text) : undefined
  }
}

/** Who may read the rest of a truncated result. */
function reader({ client, caller = LOCAL_CALLER }: CallOptions): string {
  return isLocal(caller) ? (client?.id ?? '') : `${caller.person.id} ${client?.id ?? ''}`
}

function isLocal({ person }: Caller): boolean {
  return person.id === LOCAL_PERSON.id
}

function targetOf({ server, tool }: ToolOrigin): CallTarget {
  return { kind: 'tool', server, name: tool.name }
}

/** A result that tells the model what went wrong. */
export function failure(message: string): CallResult {
  return { content: [text(message)], isError: true }
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function hasReadableContent({ content }: JsonObject): boolean {
  return content === undefined || (Array.isArray(content) && content.every(isObject))
}
