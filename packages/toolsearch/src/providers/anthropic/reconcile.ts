import type { Block } from '../../transcript/block.ts'
import type { ReconcileContext, Repair, Repaired } from '../provider.ts'
import { foundText, OMITTED_START } from '../repair-texts.ts'
import { NATIVE_SEARCH, type StaleThinking } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  blocksOf,
  changedName,
  foundNames,
  isCompaction,
  isInlineChange,
  isNativeSearch,
  isPaused,
  isSameList,
  isToolChange,
  referencedName,
  resultBlocks,
  text,
  toolChangesOf,
  turnBlocks,
  withBlocks,
  withoutTrailingThinking,
} from './blocks.ts'
import { withoutStaleThinking } from './drop-thinking.ts'
import { addition } from './render.ts'

/**
 * Adapts a well-formed history to the tools and the search of a request. Messages that are fine stay
 * the same objects.
 */
export function reconcile<Message extends AnthropicMessage>(
  messages: readonly Message[],
  context: ReconcileContext,
  stale: StaleThinking,
): Repaired<Message> {
  const repairs: Repair[] = []
  const inline = new Set<string>()
  const resolved = messages.flatMap((_, at) =>
    resolveMessage(messages, at, context, inline, repairs),
  )
  const ordered = orderSystem(updateAdded(resolved, context, repairs), repairs)
  const started = startWithUser(ordered, repairs)
  // Other tools at the start of the prompt are a change before all messages.
  const change = { stale, isPromptChanged: context.isListChanged }
  const reconciled = withoutStaleThinking(messages, started, change, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return { messages: reconciled as Message[], repairs }
}

type Report = (kind: Repair['kind'], about: string) => void

/**
 * The message with blocks that the service accepts in this request; empty if none is left.
 *
 * @param inline names of the tools that the messages before this one define; extended by those it defines
 */
function resolveMessage(
  messages: readonly AnthropicMessage[],
  at: number,
  context: ReconcileContext,
  inline: Set<string>,
  repairs: Repair[],
): AnthropicMessage[] {
  const message = messages[at]!
  const report: Report = (kind, about) => repairs.push({ kind, about, at })
  const before = blocksOf(message)
  const resolved = before.flatMap((block) => {
    if (block.type === 'tool_result') return [resolveResult(block, context, report)]
    if (isNativeSearch(block)) return resolveNativeSearch(block, messages, at, context, report)
    for (const change of changesIn(block)) {
      if (isInlineChange(change)) inline.add(changedName(change))
    }
    if (!isToolChange(block) || isAcceptedChange(block, context, inline)) return [block]
    report('change-dropped', changedName(block))
    return []
  })
  if (isSameList(before, resolved)) return [message]
  const after = message.role === 'assistant' ? withoutTrailingThinking(resolved) : resolved
  if (after.length < resolved.length) report('reasoning-dropped', 'thinking')
  if (after.length > 0) return [withBlocks(message, before, after)]
  report('empty-dropped', message.role)
  return []
}

/** Replaces references that would not resolve with text. */
function resolveResult(block: Block, context: ReconcileContext, report: Report): Block {
  const before = resultBlocks(block)
  const after = before.map((inner) => {
    const name = referencedName(inner)
    if (name === undefined || (context.mode.reveal === 'reference' && context.isDeferred(name)))
      return inner
    report('reference-to-text', name)
    return text(foundText([name], context))
  })
  return isSameList(before, after) ? block : { ...block, content: after }
}

/**
 * Only a request with the same native search may contain its calls and results. At the end of the
 * history, a search without a result is still running: the request continues a paused turn.
 */
function resolveNativeSearch(
  block: Block,
  messages: readonly AnthropicMessage[],
  at: number,
  context: ReconcileContext,
  report: Report,
): readonly Block[] {
  const turn = turnBlocks(messages, at)
  const isResult = block.type === 'tool_search_tool_result'
  const id = isResult ? block.tool_use_id : block.id
  const search = turn.find(({ type, id: own }) => type === 'server_tool_use' && own === id)
  const isAnswered = turn.some(
    ({ type, tool_use_id }) => type === 'tool_search_tool_result' && tool_use_id === id,
  )
  const isRunning =
    isPaused(messages) && turn.at(-1) === turnBlocks(messages, messages.length - 1).at(-1)
  const isAvailable = context.hasProviderSearch && search?.name === NATIVE_SEARCH.name
  const names = isResult ? foundNames(block) : []
  if (!isAvailable || !(isAnswered || isRunning)) {
    report('search-to-text', String(id))
    return isResult ? [text(foundText(names, context))] : []
  }
  const gone = names.filter((name) => !context.isDeferred(name))
  if (gone.length === 0) return [block]
  for (const name of gone) report('reference-to-text', name)
  const references = names
    .filter((name) => !gone.includes(name))
    .map((tool_name) => ({ type: 'tool_reference', tool_name }))
  return [{ ...block, content: { ...(block.content as Block), tool_references: references } }]
}

/** The tool changes that a block is or, as a summary, keeps. */
function changesIn(block: Block): readonly Block[] {
  return (isCompaction(block) ? toolChangesOf(block) : [block]).filter(isToolChange)
}

function isAcceptedChange(
  block: Block,
  { mode }: ReconcileContext,
  inline: ReadonlySet<string>,
): boolean {
  if (mode.reveal !== 'definition') return false
  const { type } = (block.tool ?? {}) as Block
  if (type === 'mcp_tool_reference' || type === 'mcp_toolset_reference') return true
  if (isInlineChange(block)) return true
  // A tool that was added inline can be removed by name, though no request declares it.
  return block.type === 'tool_removal' && inline.has(changedName(block))
}

/**
 * Appends a removal of each added tool that no longer exists, and an addition of each removed tool
 * that exists again. The earlier changes stay.
 */
function updateAdded(
  messages: readonly AnthropicMessage[],
  context: ReconcileContext,
  repairs: Repair[],
): readonly AnthropicMessage[] {
  // The service rejects a system message after an assistant message.
  if (context.mode.reveal !== 'definition' || isPaused(messages)) return messages
  const isAvailable = new Map<string, boolean>()
  for (const change of messages.flatMap(blocksOf).flatMap(changesIn)) {
    isAvailable.set(changedName(change), change.type === 'tool_addition')
  }
  const content = [...isAvailable].flatMap(([name, wasAdded]) => {
    const tool = context.definition(name)
    if (wasAdded === (tool !== undefined)) return []
    // A tool that is listed needs no addition.
    if (tool && context.isListed(name)) return []
    repairs.push({ kind: tool ? 'tool-added' : 'tool-removed', about: name, at: messages.length })
    return [
      tool ? addition(tool) : { type: 'tool_removal', tool: { type: 'tool_reference', name } },
    ]
  })
  return content.length === 0 ? messages : [...messages, { role: 'system', content }]
}

/** The service accepts a system message only before an assistant message or at the end. */
function orderSystem(messages: readonly AnthropicMessage[], repairs: Repair[]): AnthropicMessage[] {
  const ordered: AnthropicMessage[] = []
  let waiting: AnthropicMessage[] = []
  const flush = () => {
    const [first, ...others] = waiting
    if (first && others.length === 0) ordered.push(first)
    else if (first) ordered.push({ ...first, content: waiting.flatMap(blocksOf) })
    waiting = []
  }
  messages.forEach((message, at) => {
    if (message.role === 'assistant') flush()
    else if (waiting.length > 0) repairs.push({ kind: 'system-moved', about: 'system', at: at - 1 })
    if (message.role === 'system') waiting.push(message)
    else ordered.push(message)
  })
  flush()
  return ordered
}

function startWithUser(
  messages: readonly AnthropicMessage[],
  repairs: Repair[],
): readonly AnthropicMessage[] {
  if (messages.length === 0 || messages[0]!.role === 'user') return messages
  // A summary must be first.
  if (blocksOf(messages[0]!).some(isCompaction)) return messages
  repairs.push({ kind: 'start-added', about: 'user', at: 0 })
  return [{ role: 'user', content: OMITTED_START }, ...messages]
}
