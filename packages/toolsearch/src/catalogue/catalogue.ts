import { isListOfStrings } from '../is-list-of-strings.ts'
import { type Check, callback, check, checkOptions, fail, oneOf } from '../options/check-option.ts'
import { DuplicateToolError, type InvalidToolError } from './catalogue-errors.ts'
import type { SchemaProblem } from './check-schema.ts'
import { compareNames } from './compare-names.ts'
import { isEqual } from './is-equal.ts'
import { listDefinitions } from './list-definitions.ts'
import { readDefinition } from './read-definition.ts'
import type { ToJsonSchema } from './standard-schema.ts'
import type { Tool, ToolSource } from './tool.ts'
import type { ToolInput, ToolInputs } from './tool-input.ts'

export interface AddOptions {
  /**
   * What to do if a tool with the same name exists.
   * @default 'refuse'
   */
  duplicates?: 'refuse' | 'replace'
  /**
   * `throw` adds either all definitions or none. `skip` adds the valid ones and returns the errors
   * of the others in `rejected`, so that one bad tool does not hide all tools of a server.
   * @default 'throw'
   */
  problems?: 'throw' | 'skip'
  /**
   * Converts schemas of libraries without JSON Schema support of their own, such as Valibot.
   * @default the `toJsonSchema` of `createToolSearch`
   */
  toJsonSchema?: ToJsonSchema
}

const ADD_OPTIONS = {
  duplicates: oneOf({ refuse: true, replace: true }),
  problems: oneOf({ throw: true, skip: true }),
  toJsonSchema: callback,
} satisfies Record<keyof AddOptions, Check>

/** A problem with the schema of a tool. */
export interface ToolProblem extends SchemaProblem {
  readonly tool: string
}

/** The changes made by one call. Listeners receive them too, unless nothing changed. */
export interface CatalogueChange {
  readonly version: number
  readonly added: readonly Tool[]
  readonly replaced: readonly Tool[]
  readonly removed: readonly Tool[]
  readonly rejected: readonly (InvalidToolError | DuplicateToolError)[]
}

/** The live set of tools. It is the only mutable state that all modules share. */
export interface Catalogue {
  /** Increases by one with every change. */
  readonly version: number
  readonly size: number
  get(name: string): Tool | undefined
  has(name: string): boolean
  /** In insertion order. A replaced tool keeps its place; one removed and added again is last. */
  tools(): readonly Tool[]
  /** Sorted by name in code unit order, which is the same on every machine and in every locale. */
  sorted(): readonly Tool[]
  /**
   * What is wrong with the schemas of the tools: a lint. Tools with such problems still work, but
   * their calls are not checked, and requests contain a corrected schema.
   */
  problems(): readonly ToolProblem[]
  /** @throws InvalidToolError, DuplicateToolError, InvalidOptionError */
  add(definitions: ToolInput | ToolInputs, options?: AddOptions): CatalogueChange
  /** Ignores unknown names. @throws InvalidOptionError */
  remove(names: string | readonly string[]): CatalogueChange
  /** Removes all tools of a source. @throws InvalidOptionError */
  removeSource(source: ToolSource): CatalogueChange
  /**
   * Replaces all tools of `source` with `definitions`, for example after a reconnect or a
   * `list_changed` notification. Unchanged tools are left untouched and keep their place. A name
   * that belongs to another source or occurs twice in the list is a duplicate.
   * @throws InvalidToolError, DuplicateToolError, InvalidOptionError
   */
  sync(source: ToolSource, definitions: ToolInputs, options?: AddOptions): CatalogueChange
  /**
   * Calls the listener after each change. Listeners run in subscription order. An error thrown by a
   * listener is rethrown to the caller that made the change, after all listeners have run. Returns
   * a function that unsubscribes. @throws InvalidOptionError
   */
  subscribe(listener: (change: CatalogueChange) => void): () => void
}

/** @throws InvalidToolError, DuplicateToolError if one of `tools` cannot be added */
export function createCatalogue(
  tools: ToolInputs = [],
  defaults: Pick<AddOptions, 'toJsonSchema'> = {},
): Catalogue {
  const byName = new Map<string, Tool>()
  const listeners = new Set<(change: CatalogueChange) => void>()
  let version = 0
  const pending: CatalogueChange[] = []
  const failures: unknown[] = []
  let isNotifying = false
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
    problems: () =>
      catalogue
        .tools()
        .flatMap(({ name, problems }) => problems.map((problem) => ({ tool: name, ...problem }))),
    add(definitions, options = {}) {
      return commit({ ...readAll(definitions, options), removed: [] })
    },
    remove(names) {
      checkNames(names, 'names')
      const unique = new Set(typeof names === 'string' ? [names] : names)
      return commit({ removed: [...unique].flatMap((name) => byName.get(name) ?? []) })
    },
    removeSource(source) {
      checkSource(source, 'source')
      return commit({ removed: ofSource(source) })
    },
    sync(source, definitions, options = {}) {
      checkSource(source, 'source')
      // With `problems: 'skip'`, anything else would look like an empty list and remove all tools.
      if (typeof definitions !== 'object' || definitions === null) {
        fail(definitions, 'definitions', 'use an array of tool definitions')
      }
      const read = readAll(definitions, options, source)
      const remaining = new Set([...read.accepted, ...read.unchanged].map((tool) => tool.name))
      const removed = ofSource(source).filter((tool) => !remaining.has(tool.name))
      return commit({ ...read, removed })
    },
    subscribe(listener) {
      callback(listener, 'listener')
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  catalogue.add(tools)
  return catalogue

  function ofSource(source: ToolSource): Tool[] {
    return [...byName.values()].filter((tool) => tool.source === source)
  }

  function readAll(definitions: unknown, options: AddOptions, syncedSource?: ToolSource) {
    checkOptions(options, 'options', ADD_OPTIONS)
    const {
      duplicates = 'refuse',
      problems = 'throw',
      toJsonSchema = defaults.toJsonSchema,
    } = options
    const accepted = new Map<string, Tool>()
    const unchanged = new Map<string, Tool>()
    const rejected: (InvalidToolError | DuplicateToolError)[] = []
    for (const { definition, ...place } of listDefinitions(definitions)) {
      try {
        const tool = readDefinition(definition, {
          ...place,
          toJsonSchema,
          ...(syncedSource && { source: syncedSource }),
        })
        const { name } = tool
        const repeated = accepted.get(name) ?? unchanged.get(name)
        const existing = repeated ?? byName.get(name)
        const isOwn = existing?.source === syncedSource && repeated === undefined
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

  /** A listener may change the catalogue. Every listener still receives all changes in order. */
  function notify(change: CatalogueChange): void {
    pending.push(change)
    if (isNotifying) return
    isNotifying = true
    try {
      for (let next = pending.shift(); next; next = pending.shift()) {
        for (const listener of [...listeners]) notifyListener(listener, next)
      }
    } finally {
      isNotifying = false
    }
    const errors = failures.splice(0)
    if (errors.length > 0) throw errors[0]
  }

  /** A listener that throws must not prevent the others from running. */
  function notifyListener(
    listener: (change: CatalogueChange) => void,
    change: CatalogueChange,
  ): void {
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
    if (changed) notify(change)
    return change
  }
}

const checkSource = check(
  (value) => typeof value === 'string' && value !== '',
  'use a name such as "mcp:github"',
)
const checkNames = check(
  (value) => typeof value === 'string' || isListOfStrings(value),
  'use a name or an array of names',
)
