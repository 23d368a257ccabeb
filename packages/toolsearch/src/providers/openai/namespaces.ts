import { hashText } from '../../catalogue/hash-text.ts'
import type { DeferredTool } from '../provider.ts'
import { deferredFunction, type OpenaiFunction } from './function-tool.ts'

/** A group of functions. Before a search, the model sees only its name and description. */
export interface OpenaiNamespace {
  type: 'namespace'
  name: string
  description: string
  tools: OpenaiFunction[]
}

/** OpenAI recommends fewer than ten functions per namespace. */
const MAX_FUNCTIONS = 9

/**
 * Groups deferred tools by source, in catalogue order. A source with many tools gets several
 * namespaces: `github`, `github__2` and so on. Later tools go into the last namespace or into new
 * ones, so that no tool changes its namespace.
 */
export function namespacesOf(deferred: readonly DeferredTool[]): OpenaiNamespace[] {
  const [first] = deferred
  if (first === undefined) return []
  const cached = cache.get(first)
  if (cached && isSameList(cached.deferred, deferred)) return cached.namespaces
  const namespaces = createNamespaces(deferred)
  cache.set(first, { deferred, namespaces })
  return namespaces
}

/** Consecutive requests usually have the same thousands of tools. */
const cache = new WeakMap<
  DeferredTool,
  { deferred: readonly DeferredTool[]; namespaces: OpenaiNamespace[] }
>()

function isSameList(a: readonly DeferredTool[], b: readonly DeferredTool[]): boolean {
  return a.length === b.length && a.every((tool, index) => tool === b[index])
}

function createNamespaces(deferred: readonly DeferredTool[]): OpenaiNamespace[] {
  const groups = new Map<string, DeferredTool[]>()
  for (const tool of deferred) {
    const name = sourceName(tool.source)
    const group = groups.get(name)
    if (group) group.push(tool)
    else groups.set(name, [tool])
  }
  return [...groups].flatMap(([name, tools]) =>
    chunk(tools).map((part, index) =>
      namespace(index === 0 ? name : `${name}__${index + 1}`, part),
    ),
  )
}

function namespace(name: string, tools: readonly DeferredTool[]): OpenaiNamespace {
  const source = tools[0]!.source.replace(/^mcp:/, '')
  return {
    type: 'namespace',
    name,
    // Before it searches, the model sees only this description.
    description: `Tools of ${source}: ${tools.map((tool) => tool.name).join(', ')}.`,
    tools: tools.map(deferredFunction),
  }
}

/** Short enough to append a number, and not already ending in one. */
const USABLE = /^(?!.*__\d+$)[a-zA-Z0-9_-]{1,56}$/

function sourceName(source: string): string {
  const name = source.replace(/^mcp:/, '').replace(':', '_')
  if (USABLE.test(name)) return name
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 40)
  return `${readable}_${hashText(source).slice(0, 8)}`
}

function chunk(tools: readonly DeferredTool[]): DeferredTool[][] {
  const count = Math.ceil(tools.length / MAX_FUNCTIONS)
  return Array.from({ length: count }, (_, index) =>
    tools.slice(index * MAX_FUNCTIONS, (index + 1) * MAX_FUNCTIONS),
  )
}
