import {
  parseArguments,
  type Session,
  type SessionSearchOptions,
  type Tool,
  type ToolSearch,
  type ValidateArguments,
} from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import { isTooDeep, MAX_DEPTH } from '../protocol/is-too-deep.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { Approvals } from './approvals/approvals.ts'
import { createAwaitServer } from './await-server.ts'
import type { CallOptions, Gateway } from './gateway.ts'
import { type CallResult, createLargeResults, longDataAsText } from './large-results.ts'
import { CALL_BY_EFFECT, CHANGED, DESCRIBE, isCallTool, READ_RESULT, SEARCH } from './meta-tools.ts'
import { searchTools } from './search-tools.ts'
import type { ToolListing } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The params of a call. `arguments` has been defaulted but not checked. */
type Call = JsonObject & { readonly name: string; readonly arguments: JsonObject }

export interface AnswerCallsOptions {
  readonly toolSearch: ToolSearch
  readonly validate: ValidateArguments
  readonly approvals: Approvals | undefined
}

export interface CallAnswers extends Pick<Gateway, 'searchIn'> {
  /** Answers a call of a meta tool or of a server's tool. Rejects if the request to a server does. */
  answer(call: Call, options: CallOptions): Promise<CallResult>
}

export function answerCalls(
  listing: ToolListing,
  servers: UpstreamSet,
  { toolSearch, validate, approvals }: AnswerCallsOptions,
): CallAnswers {
  const { catalogue } = toolSearch
  const results = createLargeResults()
  const awaitServer = createAwaitServer(listing, servers)
  const session = toolSearch.session('gateway')
  return { answer, searchIn }

  async function answer(call: Call, options: CallOptions): Promise<CallResult> {
    const { name, arguments: args } = call
    if (listing.origin(name)) return run(call, options)
    if (name === SEARCH) return search(args, options)
    if (name === DESCRIBE) return describe(args.names, options)
    if (name === READ_RESULT) {
      const { resultChars } = listing.config.limits
      const offset = Number(args.offset) || 0
      return results.read(String(args.id), { offset, limit: resultChars, reader: reader(options) })
    }
    if (isCallTool(name)) return callThrough(call, options)
    const unavailable = await awaitServer(name, options.signal)
    return unavailable === undefined ? run(call, options) : failure(unavailable)
  }

  async function search(args: JsonObject, options: CallOptions): Promise<CallResult> {
    if (args.query === undefined && [args.queries ?? []].flat().every((each) => each === '')) {
      const error = 'Pass "query", or several "queries": a few words for what a tool should do.'
      return failure(JSON.stringify({ error }))
    }
    const { outcome, searches, definitions, result } = await searchIn(await session, args)
    options.onFound?.(outcome.hits.map(({ tool }) => tool.name))
    options.onSearched?.(searches)
    options.onDefinitions?.(definitions)
    return result
  }

  async function searchIn(
    open: Session,
    args: JsonObject,
    options?: Omit<SessionSearchOptions, 'result'>,
  ): ReturnType<Gateway['searchIn']> {
    await listing.addAccepted()
    const { outcome, searches, answer } = await searchTools(open, args, {
      ...options,
      annotate: notes,
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

  async function describe(names: unknown, options: CallOptions): Promise<CallResult> {
    await listing.addAccepted()
    const wanted = typeof names === 'string' ? [names] : names
    if (!Array.isArray(wanted)) return failure('"names" must be a list of tool names.')
    const found = wanted.flatMap((name) => catalogue.get(String(name)) ?? [])
    const others = wanted.map(String).filter((name) => !catalogue.has(name))
    const withheld = others.filter(listing.origin).map(approvalNeeded)
    const missing = others.filter((name) => !listing.origin(name))
    const tools = found.map((tool) => ({ ...listing.definition(tool), ...notes(tool) }))
    const json = JSON.stringify({
      tools,
      ...(withheld.length > 0 && { withheld }),
      ...(missing.length > 0 && { missing }),
    })
    const { resultChars } = listing.config.limits
    if (json.length <= resultChars) options.onDefinitions?.(tools)
    return results.truncate({ content: [text(json)] }, resultChars, reader(options))
  }

  /** What the gateway adds to a tool's definition in its answers. */
  function notes(tool: Tool): JsonObject {
    return {
      ...(listing.config.callTools === 'by-effect' && { effect: effectOf(tool) }),
      ...(listing.approvalOf(tool.name) === 'changed' && { [CHANGED]: true }),
    }
  }

  /** Why a tool is withheld, and how a person can change that. */
  function approvalNeeded(name: string): string {
    const reasons = {
      new: `"${name}" is new and has not been approved.`,
      blocked: `"${name}" is blocked.`,
      changed: `The definition of "${name}" changed since it was approved.`,
    }
    const state = listing.approvalOf(name)
    const reason = state === undefined || state === 'approved' ? reasons.changed : reasons[state]
    return `${reason} It cannot be called until a person runs: toolsearch accept ${name}`
  }

  async function callThrough(call: Call, options: CallOptions): Promise<CallResult> {
    const { name, arguments: inner = {} } = call.arguments
    if (typeof name !== 'string') return failure('Pass the exact name of a tool as "name".')
    await listing.addAccepted()
    if (!listing.origin(name)) {
      const unavailable = await awaitServer(name, options.signal)
      if (unavailable !== undefined) return failure(unavailable)
    }
    const tool = catalogue.get(name)
    if (tool && listing.config.callTools === 'by-effect') {
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
    if (listing.isWithheld(name)) {
      // It may have been accepted in another process.
      await approvals?.refresh()
      listing.applyApprovals()
      if (listing.isWithheld(name)) return failure(approvalNeeded(name))
    }
    const problem = isValid(call) ? undefined : await explainProblem(call)
    if (problem) {
      // It contains the schema, which may be long.
      const { resultChars } = listing.config.limits
      return listing.isSearching ? results.truncate(problem, resultChars, reader(options)) : problem
    }
    const { server, tool, fixed } = listing.origin(name)!
    const upstream = servers.upstreams.get(server)!
    // Last, so that an argument of the caller cannot replace a fixed value.
    const given = fixed ? { ...call, arguments: { ...call.arguments, ...fixed } } : call
    const result = await upstream.request('tools/call', { ...given, name: tool.name }, options)
    if (!hasReadableContent(result)) {
      return failure(`${server} returned an invalid result: "content" is not a list of blocks.`)
    }
    options.onResult?.(server, result)
    // Nobody could read the rest: clients that call tools directly may not see `read_result`.
    if (isDirect && !listing.isSearching) return result
    const { resultChars } = listing.settings(server)?.limits ?? listing.config.limits
    const readable = isDirect ? result : longDataAsText(result, resultChars)
    return results.truncate(readable, resultChars, reader(options))
  }

  /** Hot path: most calls are valid and need no other check. */
  function isValid(call: Call): boolean {
    const schema = catalogue.get(call.name)?.inputSchema
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
    const result = await (await session).answer({ name, arguments: args })
    return result.kind === 'answered' ? failure(result.text) : undefined
  }
}

/** Who may read the rest of a truncated result. */
function reader({ client }: CallOptions): string {
  return client?.id ?? ''
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
