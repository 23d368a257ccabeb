import type { Gateway } from '../offering/gateway.ts'
import { type ConnectionList, createConnectionList } from '../serving/connection-list.ts'
import { toolCost } from './tool-cost.ts'

/** The tools that searches have added to the lists of open connections (mode `dynamic`). */
export interface GrownLists {
  open(connection: string): void
  close(connection: string): void
  /** Returns the names that were not listed before. */
  grow(connection: string, found: readonly string[]): readonly string[]
  /** What the added tools cost in each request. */
  tokens(connection: string): number
  /** Connections whose added tools changed since the last call, other than by `grow`. */
  changed(): readonly string[]
}

export function createGrownLists(
  gateway: Pick<Gateway, 'isDynamic' | 'listTools' | 'toolSearch'>,
): GrownLists {
  const lists = new Map<string, { readonly list: ConnectionList; text: string }>()
  const textOf = (list: ConnectionList) => JSON.stringify(list.added())

  return {
    open: (connection) =>
      lists.set(connection, { list: createConnectionList(gateway, 'legacy'), text: '[]' }),
    close: (connection) => lists.delete(connection),
    grow(connection, found) {
      const entry = lists.get(connection)
      if (!entry) return []
      const added = entry.list.add(found)
      entry.text = textOf(entry.list)
      return added
    },
    tokens(connection) {
      const { catalogue } = gateway.toolSearch
      const added = lists.get(connection)?.list.added() ?? []
      const tools = added.flatMap(({ name }) => catalogue.get(name) ?? [])
      return tools.reduce((sum, tool) => sum + toolCost(tool), 0)
    },
    changed: () =>
      [...lists].flatMap(([connection, entry]) => {
        const before = entry.text
        entry.text = textOf(entry.list)
        return entry.text === before ? [] : connection
      }),
  }
}
