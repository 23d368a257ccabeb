import { estimateTokens } from 'toolsearch'
import type { CallOptions, Gateway } from '../offering/gateway.ts'
import type { CallResult } from '../offering/large-results.ts'
import { DESCRIBE, isCallTool, SEARCH } from '../offering/meta-tools.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { isObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { clientOf, connectionId } from '../serving/caller.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import type { Activity } from './activity/activity.ts'
import type { CallCost } from './activity/token-ledger.ts'
import { costReport } from './cost-report.ts'
import { createGrownLists } from './grown-lists.ts'
import { listDifference } from './list-difference.ts'
import { serverOf } from './server-of.ts'

/** Writes down what agents do. */
export interface Recorder {
  /** The same gateway, with its calls written down. */
  readonly gateway: Gateway
  /** The same factory, with connections of the older protocol written down. */
  watch(factory: GatewayServerFactory): GatewayServerFactory
  close(): void
}

const UNKNOWN = { id: 'unknown', name: 'unknown' }

export function recordCalls(
  gateway: Gateway,
  activity: Activity,
  { now = () => performance.now() }: { now?: () => number } = {},
): Recorder {
  const grown = createGrownLists(gateway)
  let listed: readonly McpTool[] | undefined
  /** What one request costs with every tool, and with the list: counted when that is another. */
  let costs: { version: number; eager: number; listed: number } | undefined
  const stop = gateway.onListChanged(() => {
    const before = listed
    listed = gateway.listTools()
    costs = undefined
    const isSame = JSON.stringify(before) === JSON.stringify(listed)
    const changed = grown.changed()
    if (before && !isSame) activity.listChanged(listDifference(before, listed))
    // where what was found may be another, the gateway tells of every change
    else for (const id of changed) activity.listChanged('A tool that was found is another now.', id)
  })

  async function callTool(params: JsonObject, options: CallOptions = {}): Promise<CallResult> {
    const start = now()
    let hits: readonly string[] = []
    let definitions: readonly JsonObject[] = []
    const watched: CallOptions = {
      ...options,
      onFound(names) {
        hits = names
        options.onFound?.(names)
      },
      onDefinitions(entries) {
        definitions = entries
      },
    }
    // who waits for the answer need not wait for this
    const later = (result: CallResult) => {
      const milliseconds = now() - start
      setImmediate(() => {
        try {
          record({ params, client: options.client, hits, definitions, result, milliseconds })
        } catch {
          // whoever looks on must not be the end of the gateway
        }
      })
    }
    try {
      const result = await gateway.callTool(params, watched)
      later(result)
      return result
    } catch (error) {
      later({ isError: true, content: [{ type: 'text', text: (error as Error).message }] })
      throw error
    }
  }

  function record(call: Call): void {
    const { params, client = UNKNOWN, hits, definitions, result, milliseconds } = call
    // the server has a question first; the round with the answer is the call
    if (result.resultType === 'input_required') return
    listed ??= gateway.listTools()
    const { catalogue } = gateway.toolSearch
    const given = isObject(params.arguments) ? params.arguments : {}
    const named = String(params.name)
    const isOwn = !catalogue.has(named)
    const text = textOf(result)
    const isAbout = isOwn && (named === SEARCH || named === DESCRIBE)
    const told = isAbout ? estimateTokens(text) : 0
    const isSearch = isOwn && named === SEARCH
    const fresh = isSearch ? grown.grow(client.id, hits) : []
    const done = {
      milliseconds,
      size: sizeOf(result),
      cost: { ...costsNow(client.id), told },
      definitions: definitions.map((entry) => ({
        name: String(entry.name),
        tokens: estimateTokens(JSON.stringify(entry)),
      })),
    }
    if (isSearch) {
      activity.searched(client, { ...done, query: String(given.query ?? ''), hits })
      if (fresh.length > 0) {
        activity.listChanged(`Found tools joined the list: ${fresh.join(', ')}.`, client.id)
      }
      return
    }
    const tool = isOwn && isCallTool(named) ? String(given.name) : named
    const known = catalogue.get(tool)
    activity.called(client, {
      ...done,
      tool,
      server: known && serverOf(known),
      failure: result.isError ? text : undefined,
    })
  }

  function costsNow(connection: string): CallCost {
    const { catalogue } = gateway.toolSearch
    const { version } = catalogue
    if (costs?.version !== version) {
      const { eager, listed } = costReport(catalogue.tools(), gateway.listTools())
      costs = { version, eager, listed }
    }
    return { eager: costs.eager, listed: costs.listed + grown.tokens(connection) }
  }

  return {
    // a prototype, so that what the gateway works out when asked is still worked out then
    gateway: Object.create(gateway, { callTool: { value: callTool } }),
    watch: (factory) =>
      Object.assign(
        (context: Parameters<GatewayServerFactory>[0]) => {
          const server = factory(context)
          if (context.requestInfo !== undefined) return server
          let id: string | undefined
          server.oninitialized = () => {
            const client = clientOf(
              server.getClientVersion(),
              connectionId(server.transport?.sessionId),
            )
            if (!client) return
            id = client.id
            grown.open(id)
            activity.connected(client)
          }
          const { onclose } = server
          server.onclose = () => {
            if (id !== undefined) {
              grown.close(id)
              activity.disconnected(id)
            }
            onclose?.()
          }
          return server
        },
        { shortcut: factory.shortcut },
      ),
    close: stop,
  }
}

interface Call extends Pick<CallOptions, 'client'> {
  readonly params: JsonObject
  readonly hits: readonly string[]
  /** The full tool definitions in the answer. */
  readonly definitions: readonly JsonObject[]
  readonly result: CallResult
  readonly milliseconds: number
}

function textOf({ content }: CallResult): string {
  return (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

function sizeOf({ content }: CallResult): number {
  const sizes = (content ?? []).map(({ text, data }) => String(text ?? data ?? '').length)
  return sizes.reduce((sum, size) => sum + size, 0)
}
