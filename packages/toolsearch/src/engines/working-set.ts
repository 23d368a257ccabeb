import type { Tool } from '../catalogue/tool.ts'

/** The tools of an engine that one conversation uses at the moment. */
export interface WorkingSet {
  get(name: string): Tool | undefined
  /** The same list until the set changes. */
  tools(): readonly Tool[]
  /** Replaces the tools that stay, such as those that a conversation has loaded. */
  keep(tools: readonly Tool[]): void
  /** Adds tools that stay until the next `keep`. */
  add(tools: readonly Tool[]): void
  /** Adds tools for the current search. */
  find(tools: readonly Tool[]): void
  /** Drops the tools of the search, except for those that stay from now on. */
  release(kept: readonly string[]): void
}

export function createWorkingSet(): WorkingSet {
  let kept = new Map<string, Tool>()
  let found = new Map<string, Tool>()
  let inOrder: readonly Tool[] | undefined

  return {
    // What a search found is newer.
    get: (name) => found.get(name) ?? kept.get(name),
    tools() {
      inOrder ??= [...new Map([...kept, ...found]).values()]
      return inOrder
    },
    keep(tools) {
      kept = new Map()
      add(kept, tools)
    },
    add: (tools) => add(kept, tools),
    find: (tools) => add(found, tools),
    release(names) {
      for (const name of names) {
        const tool = found.get(name)
        if (tool) kept.set(name, tool)
      }
      found = new Map()
      inOrder = undefined
    },
  }

  function add(set: Map<string, Tool>, tools: readonly Tool[]): void {
    for (const tool of tools) set.set(tool.name, tool)
    inOrder = undefined
  }
}
