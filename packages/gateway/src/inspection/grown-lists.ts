import type { Gateway } from '../offering/gateway.ts'
import { toolCost } from './tool-cost.ts'

/** What was found in a connection and has joined its list, where lists grow: in mode `dynamic`. */
export interface GrownLists {
  open(connection: string): void
  close(connection: string): void
  /** Gives the names that join the list. */
  grow(connection: string, found: readonly string[]): readonly string[]
  /** What has joined, in each request. */
  tokens(connection: string): number
  /** Connections whose grown part is another than when this was last asked, or when it grew. */
  changed(): readonly string[]
}

interface Grown {
  readonly names: Set<string>
  text: string
}

export function createGrownLists(
  gateway: Pick<Gateway, 'isDynamic' | 'listTools' | 'toolSearch'>,
): GrownLists {
  const lists = new Map<string, Grown>()
  const textOf = ({ names }: Grown) =>
    JSON.stringify(gateway.listTools(names).slice(gateway.listTools().length))

  return {
    open: (connection) => lists.set(connection, { names: new Set(), text: '[]' }),
    close: (connection) => lists.delete(connection),
    grow(connection, found) {
      const list = lists.get(connection)
      if (!gateway.isDynamic || !list) return []
      const listed = new Set(gateway.listTools(list.names).map(({ name }) => name))
      const fresh = found.filter((name) => !listed.has(name))
      for (const name of fresh) list.names.add(name)
      list.text = textOf(list)
      return fresh
    },
    tokens(connection) {
      if (!gateway.isDynamic) return 0
      const { catalogue } = gateway.toolSearch
      const names = [...(lists.get(connection)?.names ?? [])]
      const tools = names.flatMap((name) => catalogue.get(name) ?? [])
      return tools.reduce((sum, tool) => sum + toolCost(tool), 0)
    },
    changed: () =>
      [...lists].flatMap(([connection, list]) => {
        const { text } = list
        list.text = textOf(list)
        return list.text === text ? [] : connection
      }),
  }
}
