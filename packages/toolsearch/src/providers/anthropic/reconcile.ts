import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { ChangePart, Entry, Part, ResultPart } from '../../transcript/entry.ts'
import { foundNames } from '../../transcript/found-names.ts'
import { withParts } from '../../transcript/with-parts.ts'
import type { ReconcileContext, Repair, RepairedEntries } from '../provider.ts'
import { foundText, OMITTED_START } from '../repair-texts.ts'
import type { StaleThinking } from './anthropic-modes.ts'
import { text } from './blocks.ts'
import { withoutStaleThinking } from './drop-thinking.ts'
import { isSearch, searchToText } from './native-search.ts'
import { read, readBlock } from './read.ts'
import { addition } from './render.ts'
import { type Report, withContent } from './with-content.ts'

/** Adapts a well-formed history to the tools and the search of a request. */
export function reconcile(
  entries: readonly Entry[],
  context: ReconcileContext,
  stale: StaleThinking,
): RepairedEntries {
  const repairs: Repair[] = []
  const report: Report = (kind, about, at) => repairs.push({ kind, about, at })
  const resolve = createResolver(context, report)
  const resolved = entries.flatMap((entry) => {
    const parts = entry.parts.flatMap((part) => resolve(part, entry.at))
    return withContent(entry, parts, report)
  })
  const ordered = orderSystem(updateAdded(resolved, context, report), report)
  const started = startWithUser(ordered, report)
  if (repairs.length === 0 && !context.isListChanged) return { entries, repairs }
  // Other tools at the start of the prompt are a change before all messages.
  const change = { stale, isPromptChanged: context.isListChanged }
  return { entries: withoutStaleThinking(entries, started, change, report), repairs }
}

/** Returns a function for the parts of a history in order: what the service accepts of each. */
function createResolver(
  context: ReconcileContext,
  report: Report,
): (part: Part, at: number) => Part[] {
  const { mode, isDeferred, hasProviderSearch } = context
  /** Tools that the messages so far define. */
  const inline = new Set<string>()
  return (part, at) => {
    if (isSearch(part) && !hasProviderSearch) return searchToText(part, context, report, at)
    if (part.type === 'result') return [withoutUnresolved(part, at)]
    for (const change of changesIn(part)) if (isInline(change)) inline.add(nameOf(change))
    if (!isChange(part) || isAccepted(part)) return [part]
    report('change-dropped', nameOf(part), at)
    return []
  }

  /** Replaces references that would not resolve with text. */
  function withoutUnresolved(result: ResultPart, at: number): ResultPart {
    const resolves = (name: string) => mode.reveal === 'reference' && isDeferred(name)
    const names = foundNames(result)
    const gone = names.filter((name) => !resolves(name))
    if (gone.length === 0) return result
    for (const name of gone) report('reference-to-text', name, at)
    const { native, parts, search } = result
    const content =
      search === undefined
        ? parts.map((part) => {
            const [name] = part.type === 'found' ? part.tools.map((tool) => tool.name) : []
            if (name === undefined || resolves(name)) return part.native
            return text(foundText([name], context))
          })
        : { ...(native.content as Block), tool_references: names.filter(resolves).map(reference) }
    return readBlock({ ...native, content }) as ResultPart
  }

  function isAccepted(change: ChangePart): boolean {
    if (mode.reveal !== 'definition') return false
    const { type } = isObject(change.native.tool) ? change.native.tool : {}
    if (type === 'mcp_tool_reference' || type === 'mcp_toolset_reference') return true
    // A tool that was added inline can be removed by name, though no request declares it.
    return isInline(change) || (change.type === 'removed' && inline.has(nameOf(change)))
  }
}

function reference(tool_name: string): Block {
  return { type: 'tool_reference', tool_name }
}

/** The tool changes that a part is or, as a summary, keeps. */
function changesIn(part: Part): readonly ChangePart[] {
  if (part.type === 'summary') return part.changes
  return isChange(part) ? [part] : []
}

function isChange(part: Part): part is ChangePart {
  return part.type === 'added' || part.type === 'removed'
}

function isInline(change: ChangePart): boolean {
  return change.type === 'added' && change.as === 'definition'
}

function nameOf(change: ChangePart): string {
  return (change.type === 'added' ? change.tools[0]?.name : change.names[0]) ?? ''
}

/** Announces what happened to the tools that messages have added. */
function updateAdded(
  entries: readonly Entry[],
  { mode, definition, isListed }: ReconcileContext,
  report: Report,
): readonly Entry[] {
  // The service rejects a system message after an assistant message.
  if (mode.reveal !== 'definition' || entries.at(-1)?.role === 'assistant') return entries
  const isAvailable = new Map<string, boolean>()
  for (const { parts } of entries) {
    for (const change of parts.flatMap(changesIn)) {
      isAvailable.set(nameOf(change), change.type === 'added')
    }
  }
  const at = entries.length
  const content = [...isAvailable].flatMap(([name, wasAdded]) => {
    const tool = definition(name)
    if (wasAdded === (tool !== undefined)) return []
    // A tool that is listed needs no addition.
    if (tool && isListed(name)) return []
    report(tool ? 'tool-added' : 'tool-removed', name, at)
    return [
      tool ? addition(tool) : { type: 'tool_removal', tool: { type: 'tool_reference', name } },
    ]
  })
  return content.length === 0 ? entries : [...entries, read({ role: 'system', content }, at)]
}

/** The service accepts a system message only before an assistant message or at the end. */
function orderSystem(entries: readonly Entry[], report: Report): readonly Entry[] {
  if (!entries.some(({ role }) => role === 'system')) return entries
  const ordered: Entry[] = []
  let waiting: Entry[] = []
  const flush = () => {
    const [first] = waiting
    const parts = waiting.flatMap((entry) => entry.parts)
    if (first) ordered.push(withParts(first, parts, 'content'))
    waiting = []
  }
  for (const entry of entries) {
    if (entry.role === 'assistant') flush()
    else if (waiting.length > 0) report('system-moved', 'system', waiting.at(-1)!.at)
    if (entry.role === 'system') waiting.push(entry)
    else ordered.push(entry)
  }
  flush()
  return ordered
}

function startWithUser(entries: readonly Entry[], report: Report): readonly Entry[] {
  const [first] = entries
  // A summary must be first.
  if (first === undefined || first.role === 'user' || first.parts.some(isSummary)) return entries
  report('start-added', 'user', first.at)
  return [read({ role: 'user', content: OMITTED_START }, first.at), ...entries]
}

function isSummary({ type }: Part): boolean {
  return type === 'summary'
}
