import { hashText } from '../../catalogue/hash-text.ts'
import type { DeferredTool } from '../provider.ts'
import { deferredFunction, type OpenaiFunction } from './function-tool.ts'

/** Functions that the model sees as one until it searches among them. */
export interface OpenaiNamespace {
  type: 'namespace'
  name: string
  description: string
  tools: OpenaiFunction[]
}

/** OpenAI advises fewer than ten functions in a namespace. */
const MAX_FUNCTIONS = 9

/**
 * Deferred tools by where they come from, in catalogue order. A source of many tools has several
 * namespaces: `github`, `github__2` and so on. Tools that arrive later go to the last one or to new
 * ones, so that names stay what they are.
 */
export function namespacesOf(deferred: readonly DeferredTool[]): OpenaiNamespace[] {
  const [first] = deferred
  if (first === undefined) return []
  const before = written.get(first)
  if (before && isSame(before.deferred, deferred)) return before.namespaces
  const namespaces = writeNamespaces(deferred)
  written.set(first, { deferred, namespaces })
  return namespaces
}

/** Thousands of tools go into every request, and mostly the same as before. */
const written = new WeakMap<
  DeferredTool,
  { deferred: readonly DeferredTool[]; namespaces: OpenaiNamespace[] }
>()

function isSame(some: readonly DeferredTool[], others: readonly DeferredTool[]): boolean {
  return some.length === others.length && some.every((tool, at) => tool === others[at])
}

function writeNamespaces(deferred: readonly DeferredTool[]): OpenaiNamespace[] {
  const groups = new Map<string, DeferredTool[]>()
  for (const tool of deferred) {
    const name = sourceName(tool.source)
    const group = groups.get(name)
    if (group) group.push(tool)
    else groups.set(name, [tool])
  }
  return [...groups].flatMap(([name, tools]) =>
    inPieces(tools).map((piece, index) =>
      namespace(index === 0 ? name : `${name}__${index + 1}`, piece),
    ),
  )
}

function namespace(name: string, tools: readonly DeferredTool[]): OpenaiNamespace {
  const source = tools[0]!.source.replace(/^mcp:/, '')
  return {
    type: 'namespace',
    name,
    // the model sees no more than this before it searches
    description: `Tools of ${source}: ${tools.map((tool) => tool.name).join(', ')}.`,
    tools: tools.map(deferredFunction),
  }
}

/** Short enough to be followed by a number, and not to be taken for one that is. */
const USABLE = /^(?!.*__\d+$)[a-zA-Z0-9_-]{1,56}$/

function sourceName(source: string): string {
  const name = source.replace(/^mcp:/, '').replace(':', '_')
  if (USABLE.test(name)) return name
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 40)
  return `${readable}_${hashText(source).slice(0, 8)}`
}

function inPieces(tools: readonly DeferredTool[]): DeferredTool[][] {
  const count = Math.ceil(tools.length / MAX_FUNCTIONS)
  return Array.from({ length: count }, (_, index) =>
    tools.slice(index * MAX_FUNCTIONS, (index + 1) * MAX_FUNCTIONS),
  )
}
