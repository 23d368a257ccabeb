import type { Gateway } from '../offering/gateway.ts'
import { type ConnectionList, createConnectionList } from '../serving/connection-list.ts'
import type { McpTool } from '../upstreams/upstream.ts'
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

  function foundTools({ list }: Pick<TrackedList, 'list'>): readonly McpTool[] {
    return list.tools().slice(gateway.listTools().length)
  }

  function connectionsWithChanges(): string[] {
    return [...lists].flatMap(([connection, tracked]) => {
      const before = tracked.found
      tracked.found = JSON.stringify(foundTools(tracked))
      return tracked.found === before ? [] : connection
    })
  }

  return {
    open(connection) {
      const list = createConnectionList(gateway, 'legacy', () => {})
      lists.set(connection, { list, found: '[]' })
    },
    close: (connection) => lists.delete(connection),
    join(connection, found) {
      const tracked = lists.get(connection)
      if (!gateway.isDynamic || !tracked) return []
      const listed = namesOf(tracked.list.tools())
      tracked.list.join(found)
      tracked.found = JSON.stringify(foundTools(tracked))
      return found.filter((name) => !listed.has(name))
    },
    cost(connection) {
      shared ??= gateway.listTools()
      const { catalogue } = gateway.toolSearch
      if (costs?.version !== catalogue.version) {
        const { eager, listed } = costReport(catalogue.tools(), shared)
        costs = { version: catalogue.version, eager, listed }
      }
      const tracked = gateway.isDynamic ? lists.get(connection) : undefined
      const found = tracked ? foundTools(tracked) : []
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
