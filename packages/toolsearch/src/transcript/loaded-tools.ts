import { isObject } from '../is-object.ts'
import { unwrapCall } from '../tool-search/call-tool.ts'
import type { CallPart, Entry, ResultPart } from './entry.ts'
import { toolsInNotice } from './expected-notice.ts'
import { matchResults } from './match-results.ts'

/** The tools that a conversation has loaded according to its messages. They may no longer exist. */
export interface LoadedTools {
  /** Tools that were found, added or called, each once, in order of first appearance. */
  readonly found: readonly string[]
  /** Tools that notices describe. */
  readonly described: readonly string[]
}

/** A call through `call_tool` counts as a call to the inner tool. */
export function loadedTools(entries: readonly Entry[], searchToolName: string): LoadedTools {
  const found = new Set<string>()
  const described = new Set<string>()
  const searches = new Set<ResultPart>()
  const { results } = matchResults(entries)
  for (const { role, parts } of entries) {
    for (const part of parts) {
      if (part.type === 'call' && !part.isForeign) readCall(part)
      else if (part.type === 'result') readResult(part)
      else if (part.type === 'text' && role !== 'assistant') {
        for (const name of toolsInNotice(part.text)) described.add(name)
      } else {
        for (const change of part.type === 'summary' ? part.changes : [part]) {
          if (change.type === 'added') for (const { name } of change.tools) add(name)
          if (change.type === 'removed') for (const name of change.names) found.delete(name)
        }
      }
    }
  }
  found.delete(searchToolName)
  return { found: [...found], described: [...described] }

  function add(name: unknown): void {
    if (isName(name)) found.add(name)
  }

  function readCall(call: CallPart): void {
    const result = results.get(call)
    if (isSearch(call, searchToolName)) {
      if (result !== undefined) searches.add(result.part)
    } else add(calledTool(call))
  }

  function readResult(result: ResultPart): void {
    const isFound = result.parts.some(({ type }) => type === 'found')
    for (const part of result.parts) {
      if (part.type === 'found') for (const { name } of part.tools) add(name)
      else if (!isFound && searches.has(result)) for (const name of toolsInOutput(part)) add(name)
    }
  }
}

function isSearch({ search, name }: CallPart, searchToolName: string): boolean {
  return search !== undefined || name === searchToolName
}

function calledTool({ name, arguments: input }: CallPart): string {
  const inner = unwrapCall({ name, arguments: input }).name
  // without an inner name, this is a call to a tool that happens to be named call_tool
  return isName(inner) ? inner : name
}

/** The tools in a search result of any preset. */
function toolsInOutput(part: ResultPart['parts'][number]): readonly unknown[] {
  if (part.type === 'data') return toolsInBody(part.value)
  if (part.type !== 'text') return []
  try {
    return toolsInBody(JSON.parse(part.text))
  } catch {
    return toolsInLines(part.text)
  }
}

function toolsInBody(body: unknown): readonly unknown[] {
  // references in the form of text
  if (Array.isArray(body)) return body.map((entry: unknown) => isObject(entry) && entry.tool_name)
  if (!isObject(body)) return []
  // some programs wrap the results of their tools
  if (isObject(body.result)) return toolsInBody(body.result)
  const { loaded, already_loaded, tools, matches, results } = body
  return [loaded, already_loaded, tools, matches, results].flatMap(toolsInList)
}

function toolsInList(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return []
  return list.map((entry: unknown) => {
    if (!isObject(entry)) return entry
    return entry.name ?? (isObject(entry.function) && entry.function.name)
  })
}

/** A plain-text result has one name per line, under headings such as "Loaded:". */
function toolsInLines(text: string): readonly string[] {
  const [found = ''] = text.split(/^Not found:$/m)
  return [...found.matchAll(/^- (\S+)$/gm)].map(([, name]) => name!)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
