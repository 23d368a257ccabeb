import { randomUUID } from 'node:crypto'
import { estimateTokens } from 'toolsearch'
import { type Caller, callerOf } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { CallOptions, FoundTools, GatewayView } from '../offering/gateway-view.ts'
import type { CallResult } from '../offering/large-results.ts'
import { isCallTool } from '../offering/meta-tools/call-tools.ts'
import { DESCRIBE } from '../offering/meta-tools/describe-tools.ts'
import { isScriptTool } from '../offering/meta-tools/script-tool-names.ts'
import { readQueries, SEARCH } from '../offering/search-tools.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { isObject, textOf } from '../protocol/json-object.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import { clientOf, connectionId } from '../serving/requesting-client.ts'
import type { Activity } from './activity/activity.ts'
import { createListTracker } from './list-tracker.ts'
import { plainMessage } from './plain-message.ts'
import { serverOf } from './tool-summary.ts'

/** Records what agents do with a gateway. */
export interface Recorder {
  /** The same gateway; its calls are recorded. */
  readonly gateway: Gateway
  /** The same factory; connections of the legacy protocol are recorded. */
  watch(factory: GatewayServerFactory): GatewayServerFactory
  /** Records the calls that have not ended: their connections are closed. */
  close(): void
}

const COUNTED_CHARS = 50_000
const NOTHING = { hits: [], candidates: [] }
const UNKNOWN = { id: 'unknown', name: 'unknown' }
const DISCONNECTED: CallResult = {
  isError: true,
  content: [{ type: 'text', text: 'The connection was closed before the call ended.' }],
}

export function recordCalls(
  gateway: Gateway,
  activity: Activity,
  { now = () => performance.now() }: { now?: () => number } = {},
): Recorder {
  const lists = createListTracker(gateway, activity.listChanged)

  /** Record calls that run, or that have just ended. In the order in which they started. */
  const unrecorded = new Set<() => void>()
  const views = new WeakMap<GatewayView, GatewayView>()

  /** The same view; its calls are recorded. */
  function recorded<View extends GatewayView>(view: View): View {
    const known = views.get(view)
    if (known) return known as View
    // Inherit instead of copying, so that the getters of the view stay live.
    const created: View = Object.create(view, {
      callTool: {
        value: (params: JsonObject, options?: CallOptions) => callTool(view, params, options),
      },
    })
    views.set(view, created)
    return created
  }

  async function callTool(
    view: GatewayView,
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<CallResult> {
    const start = now()
    const isScript = isScriptTool(textOf(params.name))
    const scriptId = isScript ? (options.scriptId ?? randomUUID()) : undefined
    const ended = announce(params, options.client)
    let hits: readonly string[] = []
    let searches: readonly FoundTools[] = []
    let definitions: readonly JsonObject[] = []
    const watched: CallOptions = {
      callInner: (inner, innerOptions) => callTool(view, inner, { ...options, ...innerOptions }),
      ...options,
      scriptId,
      onFound(names) {
        hits = names
        options.onFound?.(names)
      },
      onSearched(found) {
        searches = found
        options.onSearched?.(found)
      },
      onDefinitions(entries) {
        definitions = entries
      },
    }
    let end: { result: CallResult; milliseconds?: number } = { result: DISCONNECTED }
    const recordOnce = () => {
      if (!unrecorded.delete(recordOnce)) return
      const { result, milliseconds = now() - start } = end
      try {
        const found = { hits, searches, definitions }
        const script = options.script?.id ?? scriptId
        const isInner = options.script !== undefined
        const { client } = options
        record({ params, client, ...found, result, milliseconds, script, isInner })
      } catch {
        // Recording must never crash the gateway.
      }
    }
    unrecorded.add(recordOnce)
    // The caller must not wait for the recording.
    const recordSoon = (result: CallResult) => {
      end = { result, milliseconds: now() - start }
      ended()
      setImmediate(recordOnce)
    }
    try {
      const result = await view.callTool(params, watched)
      recordSoon(result)
      return result
    } catch (error) {
      recordSoon({ isError: true, content: [{ type: 'text', text: (error as Error).message }] })
      throw error
    }
  }

  function announce(params: JsonObject, client = UNKNOWN): () => void {
    const { catalogue } = gateway.toolSearch
    const { name, given, isSearch, tool } = readCall(params, catalogue)
    const known = catalogue.get(tool)
    return activity.started(client, {
      kind: isSearch ? 'search' : 'call',
      tool: isSearch ? name : tool,
      server: known && serverOf(known),
      query: isSearch ? queryOf(given) : undefined,
    })
  }

  function record(call: FinishedCall): void {
    const { params, client = UNKNOWN, hits, searches, definitions, result, milliseconds } = call
    const { script, isInner } = call
    // The server asks for input first. Only the round that brings the result counts as the call.
    if (result.resultType === 'input_required') return
    const { catalogue } = gateway.toolSearch
    const { name, given, isMetaTool, isSearch, tool } = readCall(params, catalogue)
    const text = textIn(result)
    const tokens = answerTokens(text)
    const describesTools = isSearch || (isMetaTool && name === DESCRIBE)
    const joined = isSearch ? lists.join(client.id, hits) : []
    const finished = {
      milliseconds,
      size: sizeOf(result),
      tokens,
      // What a script receives is not part of any request to the model.
      ...(!isInner && {
        cost: { ...lists.cost(client.id), answer: describesTools ? tokens : 0 },
      }),
      definitions: definitions.map((entry) => {
        const name = textOf(entry.name)
        const query = searches.find((search) => search.hits.includes(name))?.query
        const tokens = estimateTokens(JSON.stringify(entry))
        return { name, tokens, ...(query !== undefined && { query }) }
      }),
    }
    if (isSearch) {
      // A call that failed before it searched is recorded as a search, too.
      const asked = searches.length > 0 ? searches : [{ query: queryOf(given), ...NOTHING }]
      for (const [at, search] of asked.entries()) {
        const found = [...search.hits, ...search.candidates]
        const tools = found.flatMap((name) => catalogue.get(name) ?? [])
        const servers = [...new Set(tools.map(serverOf))]
        // The queries share one request and one answer, which count once.
        const rest = { milliseconds, size: 0, tokens: 0 }
        activity.searched(client, { ...(at === 0 ? finished : rest), ...search, servers })
      }
      if (joined.length > 0) {
        activity.listChanged(`Found tools were added to the list: ${joined.join(', ')}.`, client.id)
      }
      return
    }
    const known = catalogue.get(tool)
    activity.called(client, {
      ...finished,
      tool,
      server: known && serverOf(known),
      failure: result.isError ? plainMessage(text) : undefined,
      script: script?.slice(0, 8),
    })
  }

  return {
    gateway: Object.create(recorded(gateway), {
      view: { value: (caller: Caller) => recorded(gateway.view(caller)) },
    }),
    watch: (factory) =>
      Object.assign(
        (context: Parameters<GatewayServerFactory>[0]) => {
          const server = factory(context)
          if (context.requestInfo !== undefined) return server
          let id: string | undefined
          server.oninitialized = () => {
            const client = clientOf(
              server.getClientVersion(),
              callerOf(context.authInfo),
              connectionId(server.transport?.sessionId),
            )
            if (!client) return
            id = client.id
            lists.open(id)
            activity.connected(client)
          }
          const { onclose } = server
          server.onclose = () => {
            if (id !== undefined) {
              lists.close(id)
              activity.disconnected(id)
            }
            onclose?.()
          }
          return server
        },
        {
          gate: factory.gate,
          local: factory.local,
          shortcut: factory.shortcut,
          prepareListen: factory.prepareListen,
          callTasks: factory.callTasks,
        },
      ),
    close() {
      // A script ends after its calls.
      for (const recordOnce of [...unrecorded].reverse()) recordOnce()
      lists.stop()
    },
  }
}

interface FinishedCall extends Pick<CallOptions, 'client'> {
  readonly params: JsonObject
  readonly hits: readonly string[]
  readonly searches: readonly FoundTools[]
  /** The tools whose parameters are part of the answer, as it describes them. */
  readonly definitions: readonly JsonObject[]
  readonly result: CallResult
  readonly milliseconds: number
  /** The script that the call ran, or that made the call. */
  readonly script: string | undefined
  /** Whether a script made the call. */
  readonly isInner: boolean
}

function readCall(params: JsonObject, catalogue: Gateway['toolSearch']['catalogue']) {
  const given = isObject(params.arguments) ? params.arguments : {}
  const name = textOf(params.name)
  const isMetaTool = !catalogue.has(name)
  return {
    name,
    given,
    isMetaTool,
    isSearch: isMetaTool && name === SEARCH,
    /** The tool that the call is for: call tools name it in their arguments. */
    tool: isMetaTool && isCallTool(name) ? textOf(given.name) : name,
  }
}

function queryOf(args: JsonObject): string {
  return textOf(args.query ?? readQueries(args).queries.join('; '))
}

/** Estimates from the beginning of a long text: counting all of it would take milliseconds. */
function answerTokens(text: string): number {
  if (text.length <= COUNTED_CHARS) return estimateTokens(text)
  return Math.round((estimateTokens(text.slice(0, COUNTED_CHARS)) * text.length) / COUNTED_CHARS)
}

function textIn({ content }: CallResult): string {
  return (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

function sizeOf({ content }: CallResult): number {
  const sizes = (content ?? []).map(({ text, data }) => textOf(text ?? data ?? '').length)
  return sizes.reduce((sum, size) => sum + size, 0)
}
