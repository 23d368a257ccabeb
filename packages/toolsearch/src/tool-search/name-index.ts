import type { Tool } from '../catalogue/tool.ts'
import { sourceName } from '../ranking/tool-fields.ts'
import { hashNameKey, nameKey } from './name-key.ts'

/**
 * Finds names in any spelling: `searchGraph` and `SEARCH-GRAPH` find `search_graph`, and so does
 * `search_graph` find `mcp__code__search_graph`. Keeps a hash for each name and no text of its own.
 */
export interface NameIndex {
  add(name: string): void
  delete(name: string): void
  /** In the order in which they were added. */
  find(spelling: string): readonly string[]
}

const NONE: readonly string[] = []
const NO_TOOLS: readonly Tool[] = []

export function createNameIndex(): NameIndex {
  // Nearly every key belongs to one name, and a string that exists anyway needs no allocation.
  const byHash = new Map<number, string | Set<string>>()

  return {
    add(name) {
      const hash = hashNameKey(name, localStart(name))
      const others = byHash.get(hash)
      if (others === undefined) byHash.set(hash, name)
      else if (typeof others === 'object') others.add(name)
      else if (others !== name) byHash.set(hash, new Set([others, name]))
    },
    delete(name) {
      const hash = hashNameKey(name, localStart(name))
      const names = byHash.get(hash)
      if (names === name) byHash.delete(hash)
      if (typeof names === 'object' && names.delete(name) && names.size === 0) byHash.delete(hash)
    },
    find(spelling) {
      const found = byHash.get(hashNameKey(spelling))
      if (found === undefined) return NONE
      const key = nameKey(spelling)
      const names = typeof found === 'string' ? [found] : [...found]
      return key === '' ? NONE : names.filter((name) => nameKey(withoutServer(name)) === key)
    },
  }
}

/** The tools that a view has under these names. */
export function toolsNamed(
  names: readonly string[],
  get: (name: string) => Tool | undefined,
): readonly Tool[] {
  return names.length === 0 ? NO_TOOLS : names.flatMap((name) => get(name) ?? [])
}

/** The name without the server in front of it: `create_issue` of `mcp__github__create_issue`. */
export function withoutServer(name: string): string {
  return name.slice(localStart(name))
}

/** The keys of the server of a tool, as its source and its name give them. */
export function serverKeys(tool: Tool): readonly string[] {
  const prefix = tool.name.slice(0, localStart(tool.name)).replace(/^mcp__?/, '')
  return [sourceName(tool), prefix].map(nameKey).filter((key) => key !== '')
}

/** Clients write `mcp__server__tool`, `mcp_server__tool` or `server__tool`. */
function localStart(name: string): number {
  const server = name.startsWith('mcp__') ? 5 : name.startsWith('mcp_') ? 4 : 0
  const end = name.indexOf('__', server + 1) + 2
  return end > 2 && end < name.length ? end : 0
}
