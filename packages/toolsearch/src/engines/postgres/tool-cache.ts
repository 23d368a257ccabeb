import type { Tool } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import type { PostgresClient } from './postgres-client.ts'
import type { Tables } from './tables.ts'

/** A tool that a statement found, and the number of its last change. */
export interface FoundRow {
  readonly id: string
  readonly changed: string
}

/** The columns of a `FoundRow`. As text, because drivers disagree about large numbers. */
export const FOUND = 'id::text AS id, changed::text AS changed'

/**
 * Keeps the definitions that were read last. A statement returns which tools it found and their last
 * change, so a definition is read only if it is new, and a tool stays the same object.
 */
export interface ToolCache {
  /** The tools of these rows in the same order, without those that were removed in the meantime. */
  load(client: PostgresClient, rows: readonly unknown[]): Promise<readonly Tool[]>
}

export function createToolCache({ tools }: Tables, capacity: number): ToolCache {
  /** By id, the most recently used last. */
  const known = new Map<string, { readonly changed: string; readonly tool: Tool }>()

  return {
    async load(client, rows) {
      const found = rows as readonly FoundRow[]
      const missing = found.filter(({ id, changed }) => known.get(id)?.changed !== changed)
      const read = new Map<string, Tool>()
      if (missing.length > 0) {
        const { rows: definitions } = await client.query(
          `SELECT ${FOUND}, definition FROM ${tools} WHERE id = ANY($1::bigint[])`,
          [missing.map(({ id }) => id)],
        )
        for (const row of definitions as (FoundRow & { definition: string })[]) {
          const tool = readTool(row.definition)
          if (tool === undefined) continue
          read.set(row.id, tool)
          known.set(row.id, { changed: row.changed, tool })
        }
      }
      const result = found.flatMap(({ id, changed }) => {
        const entry = known.get(id)
        return read.get(id) ?? (entry?.changed === changed ? entry.tool : [])
      })
      touch(found)
      return result
    },
  }

  function touch(rows: readonly FoundRow[]): void {
    for (const { id } of rows) {
      const entry = known.get(id)
      if (entry === undefined) continue
      known.delete(id)
      known.set(id, entry)
    }
    for (const id of known.keys()) {
      if (known.size <= capacity) break
      known.delete(id)
    }
  }
}

/** Undefined for a row that something else has written. */
function readTool(definition: string): Tool | undefined {
  try {
    const tool: unknown = JSON.parse(definition)
    const isTool = isObject(tool) && typeof tool.name === 'string' && isObject(tool.inputSchema)
    return isTool ? (tool as unknown as Tool) : undefined
  } catch {
    return undefined
  }
}
