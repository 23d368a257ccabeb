import { isObject } from '../is-object.ts'
import { unwrapCall } from './call-tool.ts'
import type { HistoryBlock, HistoryReader, HistoryResult } from './history-reader.ts'

export interface ReadHistoryOptions {
  readonly searchToolName: string
  readonly readers: readonly HistoryReader[]
}

/** Enough for every known message shape, and a guard against circular objects. */
const MAX_DEPTH = 12

/** Structured results of MCP tools appear in the messages of several providers and frameworks. */
const COMMON_OPAQUE_KEYS = ['structuredContent']

/**
 * The tools that a conversation has loaded according to its messages, each once, in order of first
 * appearance: tools that were referenced, defined, called, or returned by the search tool. A call
 * through `call_tool` counts as a call to the inner tool. The tools may no longer exist.
 */
export function readHistory(
  messages: readonly unknown[],
  { searchToolName, readers }: ReadHistoryOptions,
): string[] {
  const names = new Set<string>()
  const searchCallIds = new Set<unknown>()
  const opaqueKeys = new Set([
    ...COMMON_OPAQUE_KEYS,
    ...readers.flatMap((reader) => reader.opaqueKeys),
  ])
  for (const message of messages) visit(message, 0)
  names.delete(searchToolName)
  return [...names]

  function visit(node: unknown, depth: number): void {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return
    if (Array.isArray(node)) {
      for (const child of node) visit(child, depth + 1)
      return
    }
    const block = node as HistoryBlock
    const removals = readers.map((reader) => reader.removed?.(block))
    if (removals.some((removed) => removed !== undefined)) {
      for (const name of removals.flat()) if (name !== undefined) names.delete(name)
      return
    }
    add(revealedIn(block))
    readCall(block)
    for (const reader of readers) {
      const result = reader.result?.(block)
      if (result !== undefined && isSearchResult(result)) add(toolsInResult(result.content))
    }
    for (const [key, child] of Object.entries(block)) {
      if (!opaqueKeys.has(key)) visit(child, depth + 1)
    }
  }

  function add(found: readonly unknown[]): void {
    for (const name of found) if (isName(name)) names.add(name)
  }

  function readCall(block: HistoryBlock): void {
    for (const reader of readers) {
      const call = reader.call?.(block)
      if (call === undefined) continue
      const name = calledTool(call.name, call.arguments)
      if (name !== searchToolName) add([name])
      else for (const id of call.ids) if (id !== undefined) searchCallIds.add(id)
    }
  }

  function isSearchResult({ callId, toolName }: HistoryResult): boolean {
    return callId === undefined ? toolName === searchToolName : searchCallIds.has(callId)
  }

  function revealedIn(block: HistoryBlock): readonly string[] {
    return readers.flatMap((reader) => reader.revealed?.(block) ?? [])
  }

  function toolsInResult(content: unknown): readonly unknown[] {
    const revealed = revealedAnywhere(content)
    if (revealed.length > 0) return revealed
    return textsIn(content).flatMap((text) => {
      try {
        return toolsInBody(JSON.parse(text))
      } catch {
        return toolsInLines(text)
      }
    })
  }

  function revealedAnywhere(node: unknown): readonly string[] {
    if (Array.isArray(node)) return node.flatMap(revealedAnywhere)
    if (!isObject(node)) return []
    return [...revealedIn(node), ...Object.values(node).flatMap(revealedAnywhere)]
  }

  /** The tools in a parsed search result of any preset. */
  function toolsInBody(body: unknown): readonly unknown[] {
    if (Array.isArray(body)) {
      return body.flatMap((entry) => (isObject(entry) ? revealedIn(entry) : []))
    }
    if (!isObject(body)) return []
    const { loaded, already_loaded, tools, matches, results } = body
    return [loaded, already_loaded, tools, matches, results].flatMap(toolsInList)
  }

  function toolsInList(list: unknown): readonly unknown[] {
    if (!Array.isArray(list)) return []
    return list.flatMap((entry: unknown): readonly unknown[] => {
      if (!isObject(entry)) return [entry]
      for (const reader of readers) {
        const listed = reader.listed?.(entry)
        if (listed !== undefined) return listed
      }
      return [entry.name]
    })
  }
}

/** The called tool. For a call through `call_tool`, this is the inner tool. */
function calledTool(name: unknown, input: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const inner = unwrapCall({ name, arguments: input }).name
  // Without an inner name, this is a call to a tool that happens to be named call_tool.
  return isName(inner) ? inner : name
}

/** A plain-text result has one name per line, under headings such as "Loaded:". */
function toolsInLines(text: string): readonly string[] {
  const [found = ''] = text.split(/^Not found:$/m)
  return [...found.matchAll(/^- (\S+)$/gm)].map(([, name]) => name!)
}

/** The texts in a result, however deeply wrapped. An object without text is returned as JSON. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (Array.isArray(content)) return content.flatMap(textsIn)
  if (!isObject(content)) return []
  const { text, value, output, content: inner, result } = content
  const wrapped = text ?? value ?? output ?? inner ?? result
  return wrapped === undefined ? [JSON.stringify(content)] : textsIn(wrapped)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
