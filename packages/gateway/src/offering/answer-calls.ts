import {
  resultFormat,
  type SearchReasons,
  type Session,
  type Tool,
  type ToolSearch,
  type ValidateArguments,
} from 'toolsearch'
import { isObject } from '../protocol/is-object.ts'
import { isTooDeep, MAX_DEPTH } from '../protocol/is-too-deep.ts'
import type { JsonObject } from '../upstreams/upstream.ts'
import type { Approvals } from './approvals/approvals.ts'
import { effectOf } from './effect.ts'
import type { CallOptions, Gateway } from './gateway.ts'
import { type CallResult, createLargeResults } from './large-results.ts'
import { CALL, CALL_BY_EFFECT, CHANGED, DESCRIBE, READ_RESULT, SEARCH } from './meta-tools.ts'
import type { ToolListing } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { withoutLongData } from './without-long-data.ts'

/** A call whose name is a text and whose arguments are there, whatever they are. */
type Call = JsonObject & { readonly name: string; readonly arguments: JsonObject }

export interface AnswerCallsOptions {
  readonly toolSearch: ToolSearch
  readonly validate: ValidateArguments
  readonly approvals: Approvals | undefined
}

const RESULT = resultFormat({ detail: 'schemas', budget: 4_000 })

export interface CallAnswers extends Pick<Gateway, 'searchIn'> {
  /**
   * Answers a call of the gateway's own tools or of a server's. Rejects as a request to a server does.
   */
  answer(call: Call, options: CallOptions): Promise<CallResult>
}

export function answerCalls(
  offer: ToolListing,
  servers: UpstreamSet,
  { toolSearch, validate, approvals }: AnswerCallsOptions,
): CallAnswers {
  const { catalogue } = toolSearch
  const results = createLargeResults()
  const session = toolSearch.session('gateway')
  return { answer, searchIn }

  async function answer(call: Call, options: CallOptions): Promise<CallResult> {
    const { name, arguments: given } = call
    if (offer.home(name)) return run(call, options)
    if (name === SEARCH) return search(given, options)
    if (name === DESCRIBE) return describe(given.names)
    if (name === READ_RESULT) {
      const { resultChars } = offer.config.limits
      return results.read(String(given.id), Number(given.offset) || 0, resultChars)
    }
    return isCallTool(name) ? callThrough(call, options) : run(call, options)
  }

  async function search(given: JsonObject, { onFound }: CallOptions): Promise<CallResult> {
    const { outcome, result } = await searchIn(await session, given)
    onFound?.(outcome.hits.map(({ tool }) => tool.name))
    return result
  }

  async function searchIn(
    open: Session,
    given: JsonObject,
    reasons?: SearchReasons,
  ): ReturnType<Gateway['searchIn']> {
    await offer.takeAccepted()
    const { outcome, answer } = await open.search(given, { ...reasons, result: RESULT })
    const known = outcome.hits.map(({ tool }) => [tool.name, notes(tool)] as const)
    const data = withNotes(answer.data, new Map(known))
    const content = [text(JSON.stringify(data))]
    return { outcome, result: { content, ...(answer.isError && { isError: true }) } }
  }

  async function describe(names: unknown): Promise<CallResult> {
    await offer.takeAccepted()
    if (!Array.isArray(names)) return failure('"names" must be a list of tool names.')
    const found = names.flatMap((name) => catalogue.get(String(name)) ?? [])
    const others = names.map(String).filter((name) => !catalogue.has(name))
    const withheld = others.filter(offer.home).map(hasChanged)
    const missing = others.filter((name) => !offer.home(name))
    const tools = found.map((tool) => ({ ...offer.listing(tool), ...notes(tool) }))
    const data = {
      tools,
      ...(withheld.length > 0 && { withheld }),
      ...(missing.length > 0 && { missing }),
    }
    return results.cut({ content: [text(JSON.stringify(data))] }, offer.config.limits.resultChars)
  }

  /** What is known of a tool beside its definition. */
  function notes(tool: Tool): JsonObject {
    return {
      ...(offer.config.callTools === 'by-effect' && { effect: effectOf(tool) }),
      ...(offer.isChanged(tool.name) && { [CHANGED]: true }),
    }
  }

  async function callThrough(call: Call, options: CallOptions): Promise<CallResult> {
    const { name, arguments: inner = {} } = call.arguments
    if (typeof name !== 'string') return failure('Give the exact name of a tool as "name".')
    await offer.takeAccepted()
    const tool = catalogue.get(name)
    const right = tool && CALL_BY_EFFECT[effectOf(tool)]
    if (tool && offer.config.callTools === 'by-effect' && call.name !== right) {
      return failure(`"${name}" is ${effectOf(tool)}: call it with ${right}.`)
    }
    const read = readArguments(inner)
    if (isTooDeep(read)) return failure(`The arguments are nested deeper than ${MAX_DEPTH} levels.`)
    return run({ ...call, name, arguments: read as JsonObject }, options, false)
  }

  /** Calls a server's tool, unless the call cannot succeed. */
  async function run(call: Call, options: CallOptions, isDirect = true): Promise<CallResult> {
    const { name } = call
    if (offer.config.pinDefinitions && offer.isChanged(name)) {
      // it may have been accepted since
      await approvals?.refresh()
      await offer.takeAccepted()
      if (offer.isChanged(name)) return failure(hasChanged(name))
    }
    const answer = fits(call) ? undefined : await check(call)
    if (answer) return answer
    const { server, tool } = offer.home(name)!
    const upstream = servers.upstreams.get(server)!
    const result = await upstream.request('tools/call', { ...call, name: tool.name }, options)
    if (!hasReadableContent(result)) {
      return failure(`${server} answered with a "content" that is no list of blocks.`)
    }
    options.onResult?.(server, result)
    const limits = offer.settings(server)?.limits ?? offer.config.limits
    const { resultChars } = limits
    const fitting = isDirect ? result : withoutLongData(result, resultChars)
    return results.cut(fitting, resultChars)
  }

  /** Whether a call can go as it is: most can, and need no more than this. */
  function fits(call: Call): boolean {
    const schema = catalogue.get(call.name)?.inputSchema
    if (schema === undefined || !isObject(call.arguments)) return false
    try {
      return validate(schema, call.arguments).length === 0
    } catch {
      // a schema that cannot be compiled is checked in a simpler way
      return false
    }
  }

  async function check(call: Call): Promise<CallResult | undefined> {
    const { name, arguments: given } = call
    const answer = await (await session).answer({ name, arguments: given })
    return answer && failure(answer.text)
  }
}

/** A result that says what went wrong, for the model to read. */
export function failure(message: string): CallResult {
  return { content: [text(message)], isError: true }
}

function hasChanged(name: string): string {
  return (
    `"${name}" has changed since it was approved, and is not called before a person has run: ` +
    `toolsearch accept ${name}`
  )
}

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function hasReadableContent({ content }: JsonObject): boolean {
  return content === undefined || (Array.isArray(content) && content.every(isObject))
}

/** Models often give the arguments as a text with JSON in it. One that is none stays as it is. */
function readArguments(given: unknown): unknown {
  if (given === null || given === '') return {}
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

function isCallTool(name: string): boolean {
  return name === CALL || Object.values(CALL_BY_EFFECT).includes(name)
}

/** Adds to each hit what is known of it, such as with which tool it is to be called. */
function withNotes(data: unknown, notes: ReadonlyMap<string, JsonObject>): unknown {
  const { loaded, ...rest } = data as { loaded?: unknown[] }
  if (!Array.isArray(loaded)) return data
  const found = loaded.map((entry) => {
    const named = (typeof entry === 'string' ? { name: entry } : entry) as { name: string }
    return { ...named, ...notes.get(named.name) }
  })
  return { ...rest, loaded: found }
}
