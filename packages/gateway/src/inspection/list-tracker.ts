import type { Gateway } from '../offering/gateway.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { type ConnectionList, createConnectionList } from '../serving/connection-list.ts'
import type { CallCost } from './activity/token-ledger.ts'
import { costReport, toolCost } from './cost-report.ts'

const MAX_NAMES = 5

/** Follows the tool list of each connection: what it costs, and when a change breaks prompt caches. */
export interface ListTracker {
  open(connection: string): void
  close(connection: string): void
  /** Adds found tools to a connection's list in mode `dynamic`. Returns the names that are new. */
  join(connection: string, found: readonly string[]): readonly string[]
  /** Tokens of one request: with every tool, and with the connection's list. */
  cost(connection: string): Pick<CallCost, 'eager' | 'listed'>
  stop(): void
}

interface TrackedList {
  readonly list: ConnectionList
  /** The found tools in the list as JSON, to notice changed definitions. */
  found: string
}

/** @param onChanged gets the reason; `connection` if only the list of that connection changed */
export function createListTracker(
  gateway: Gateway,
  onChanged: (reason: string, connection?: string) => void,
): ListTracker {
  const lists = new Map<string, TrackedList>()
  let shared: readonly McpTool[] | undefined
  /** Recomputed when the catalogue or the list changed. */
  let costs: { version: number; eager: number; listed: number } | undefined

  const stop = gateway.onListChanged(() => {
    const before = shared
    shared = gateway.listTools()
    costs = undefined
    const affected = connectionsWithChanges()
    if (before && JSON.stringify(before) !== JSON.stringify(shared)) {
      onChanged(describeChange(before, shared))
      return
    }
    for (const connection of affected) onChanged("A loaded tool's definition changed.", connection)
  })

  function connectionsWithChanges(): string[] {
    return [...lists].flatMap(([connection, tracked]) => {
      const before = tracked.found
      tracked.found = JSON.stringify(tracked.list.added())
      return tracked.found === before ? [] : connection
    })
  }

  return {
    open(connection) {
      const list = createConnectionList({ view: gateway }, 'legacy')
      lists.set(connection, { list, found: '[]' })
    },
    close: (connection) => lists.delete(connection),
    join(connection, found) {
      const tracked = lists.get(connection)
      if (!tracked) return []
      const added = tracked.list.add(found)
      tracked.found = JSON.stringify(tracked.list.added())
      return added
    },
    cost(connection) {
      shared ??= gateway.listTools()
      const { catalogue } = gateway.toolSearch
      if (costs?.version !== catalogue.version) {
        const { eager, listed } = costReport(catalogue.tools(), shared)
        costs = { version: catalogue.version, eager, listed }
      }
      const found = lists.get(connection)?.list.added() ?? []
      const tools = found.flatMap(({ name }) => catalogue.get(name) ?? [])
      const foundTokens = tools.reduce((sum, tool) => sum + toolCost(tool), 0)
      return { eager: costs.eager, listed: costs.listed + foundTokens }
    },
    stop,
  }
}

function describeChange(before: readonly McpTool[], after: readonly McpTool[]): string {
  const [old, current] = [namesOf(before), namesOf(after)]
  const added = [...current].filter((name) => !old.has(name))
  const removed = [...old].filter((name) => !current.has(name))
  const sentences = [
    ...(added.length > 0 ? [`Added to the list: ${shorten(added)}.`] : []),
    ...(removed.length > 0 ? [`Removed from the list: ${shorten(removed)}.`] : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : 'The definition of a listed tool changed.'
}

function shorten(names: readonly string[]): string {
  const rest = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest}`
}

function namesOf(tools: readonly McpTool[]): Set<string> {
  return new Set(tools.map(({ name }) => name))
}
