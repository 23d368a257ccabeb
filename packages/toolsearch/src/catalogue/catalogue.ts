import { isObject } from '../is-object.ts'
import { DuplicateToolError, type InvalidToolError } from './catalogue-errors.ts'
import { compareNames } from './compare-names.ts'
import { isEqual } from './is-equal.ts'
import { readDefinition } from './read-definition.ts'
import type { Tool, ToolDefinition, ToolSource } from './tool.ts'

export interface AddOptions {
  /**
   * What a name that is already taken means.
   * @default 'refuse'
   */
  duplicates?: 'refuse' | 'replace'
  /**
   * `throw` takes all of the definitions or none. `skip` takes what it can and returns the rest
   * as `rejected`, so that one bad tool does not hide a server's whole list.
   * @default 'throw'
   */
  problems?: 'throw' | 'skip'
}

/** What one call changed. Listeners get it as well, unless nothing changed. */
export interface CatalogueChange {
  readonly version: number
  readonly added: readonly Tool[]
  readonly replaced: readonly Tool[]
  readonly removed: readonly Tool[]
  readonly rejected: readonly (InvalidToolError | DuplicateToolError)[]
}

/** The live set of tools. The only writable thing all rooms share. */
export interface Catalogue {
  /** Grows by one with every change. */
  readonly version: number
  readonly size: number
  get(name: string): Tool | undefined
  has(name: string): boolean
  /** In order of arrival. A replaced tool keeps its place; one removed and added again is last. */
  tools(): readonly Tool[]
  /** By name, code unit by code unit: the same on every machine and in every locale. */
  sorted(): readonly Tool[]
  add(
    definitions: ToolDefinition | readonly ToolDefinition[],
    options?: AddOptions,
  ): CatalogueChange
  /** Names that are not there are ignored. */
  remove(names: string | readonly string[]): CatalogueChange
  removeSource(source: ToolSource): CatalogueChange
  /**
   * Makes `definitions` the tools of `source`: what a reconnect or a `list_changed` asks for.
   * Tools that are the same as before are left alone and keep their place.
   * A name that another source holds, or that the list has twice, is a duplicate.
   */
  sync(
    source: ToolSource,
    definitions: readonly ToolDefinition[],
    options?: AddOptions,
  ): CatalogueChange
  /**
   * The listener runs after each change, in order of subscription. What it throws is thrown to
   * whoever made the change, once all listeners have been told. Returns how to stop.
   */
  subscribe(listener: (change: CatalogueChange) => void): () => void
}

/** @throws InvalidToolError, DuplicateToolError when `tools` are not all acceptable */
export function createCatalogue(tools: readonly ToolDefinition[] = []): Catalogue {
  const byName = new Map<string, Tool>()
  const listeners = new Set<(change: CatalogueChange) => void>()
  let version = 0
  const untold: CatalogueChange[] = []
  const failures: unknown[] = []
  let isTelling = false
  let inOrder: readonly Tool[] | undefined
  let inNameOrder: readonly Tool[] | undefined

  const catalogue: Catalogue = {
    get version() {
      return version
    },
    get size() {
      return byName.size
    },
    get: (name) => byName.get(name),
    has: (name) => byName.has(name),
    tools() {
      inOrder ??= [...byName.values()]
      return inOrder
    },
    sorted() {
      inNameOrder ??= [...byName.values()].sort((a, b) => compareNames(a.name, b.name))
      return inNameOrder
    },
    add(definitions, options = {}) {
      const list = Array.isArray(definitions) ? definitions : [definitions as ToolDefinition]
      return commit({ ...readAll(list, options), removed: [] })
    },
    remove(names) {
      const wanted = new Set(typeof names === 'string' ? [names] : names)
      return commit({ removed: [...wanted].flatMap((name) => byName.get(name) ?? []) })
    },
    removeSource(source) {
      return commit({ removed: ofSource(source) })
    },
    sync(source, definitions, options = {}) {
      const owned = definitions.map((one) => (isObject(one) ? { ...one, source } : one))
      const read = readAll(owned, options, source)
      const kept = new Set([...read.accepted, ...read.unchanged].map((tool) => tool.name))
      const removed = ofSource(source).filter((tool) => !kept.has(tool.name))
      return commit({ ...read, removed })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  catalogue.add(tools)
  return catalogue

  function ofSource(source: ToolSource): Tool[] {
    return [...byName.values()].filter((tool) => tool.source === source)
  }

  function readAll(
    definitions: readonly unknown[],
    { duplicates = 'refuse', problems = 'throw' }: AddOptions,
    syncedSource?: ToolSource,
  ) {
    const accepted = new Map<string, Tool>()
    const unchanged = new Map<string, Tool>()
    const rejected: (InvalidToolError | DuplicateToolError)[] = []
    for (const definition of definitions) {
      try {
        const tool = readDefinition(definition)
        const { name } = tool
        const twin = accepted.get(name) ?? unchanged.get(name)
        const existing = twin ?? byName.get(name)
        const isOwn = existing?.source === syncedSource && twin === undefined
        if (existing && !isOwn && duplicates === 'refuse') {
          throw new DuplicateToolError(name, existing.source, tool.source)
        }
        if (existing && isEqual(existing, tool)) unchanged.set(name, existing)
        else {
          accepted.set(name, tool)
          unchanged.delete(name)
        }
      } catch (error) {
        if (problems === 'throw') throw error
        rejected.push(error as InvalidToolError | DuplicateToolError)
      }
    }
    return { accepted: [...accepted.values()], unchanged: [...unchanged.values()], rejected }
  }

  /** A listener may change the catalogue; all still hear of all changes in their order. */
  function tell(change: CatalogueChange): void {
    untold.push(change)
    if (isTelling) return
    isTelling = true
    try {
      for (let next = untold.shift(); next; next = untold.shift()) {
        for (const listener of [...listeners]) tellOne(listener, next)
      }
    } finally {
      isTelling = false
    }
    const [error] = failures.splice(0)
    if (error !== undefined) throw error
  }

  /** One listener that fails must not keep the others in the dark. */
  function tellOne(listener: (change: CatalogueChange) => void, change: CatalogueChange): void {
    try {
      listener(change)
    } catch (error) {
      failures.push(error)
    }
  }

  function commit({
    accepted = [],
    removed,
    rejected = [],
  }: {
    accepted?: readonly Tool[]
    removed: readonly Tool[]
    rejected?: CatalogueChange['rejected']
  }): CatalogueChange {
    for (const tool of removed) byName.delete(tool.name)
    const replaced = accepted.filter((tool) => byName.has(tool.name))
    const added = accepted.filter((tool) => !byName.has(tool.name))
    for (const tool of accepted) byName.set(tool.name, tool)

    const changed = accepted.length > 0 || removed.length > 0
    if (changed) {
      version++
      inOrder = undefined
      inNameOrder = undefined
    }
    const change: CatalogueChange = { version, added, replaced, removed, rejected }
    if (changed) tell(change)
    return change
  }
}
