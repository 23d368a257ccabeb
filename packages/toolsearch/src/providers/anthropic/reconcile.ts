import type { ReconcileContext, Repair, Repaired } from '../provider.ts'
import { foundText, OMITTED_START } from '../repair-texts.ts'
import { type AnthropicMode, anthropicModes, isAddition, NATIVE_SEARCH } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  type Block,
  blocksOf,
  changedName,
  foundNames,
  isInlineChange,
  isNativeSearch,
  isSameList,
  isToolChange,
  referencedName,
  resultBlocks,
  text,
  withBlocks,
  withoutTrailingThinking,
} from './blocks.ts'

/**
 * Adapts a well-formed history to the tools and the search of a request. Messages that are fine stay
 * the same objects.
 */
export function reconcile<Message extends AnthropicMessage>(
  messages: readonly Message[],
  context: ReconcileContext,
): Repaired<Message> {
  const repairs: Repair[] = []
  const resolved = messages.flatMap((message, at) => resolveMessage(message, at, context, repairs))
  const ordered = orderSystem(removeGone(resolved, context, repairs), repairs)
  const started = startWithUser(ordered, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return { messages: started as Message[], repairs }
}

type Report = (kind: Repair['kind'], about: string) => void

/** The message with blocks that the service accepts in this request; empty if none is left. */
function resolveMessage(
  message: AnthropicMessage,
  at: number,
  context: ReconcileContext,
  repairs: Repair[],
): AnthropicMessage[] {
  const report: Report = (kind, about) => repairs.push({ kind, about, at })
  const before = blocksOf(message)
  const resolved = before.flatMap((block) => resolveBlock(block, before, context, report))
  if (isSameList(before, resolved)) return [message]
  const after = message.role === 'assistant' ? withoutTrailingThinking(resolved) : resolved
  if (after.length < resolved.length) report('reasoning-dropped', 'thinking')
  if (after.length > 0) return [withBlocks(message, before, after)]
  report('empty-dropped', message.role)
  return []
}

function resolveBlock(
  block: Block,
  siblings: readonly Block[],
  context: ReconcileContext,
  report: Report,
): readonly Block[] {
  if (block.type === 'tool_result') return [resolveResult(block, context, report)]
  if (isNativeSearch(block)) return resolveNativeSearch(block, siblings, context, report)
  if (isToolChange(block) && !isAcceptedChange(block, context)) {
    report('change-dropped', changedName(block))
    return []
  }
  return [block]
}

/** Replaces references that would not resolve with text. */
function resolveResult(block: Block, context: ReconcileContext, report: Report): Block {
  const mode = anthropicModes[context.mode as AnthropicMode]
  const before = resultBlocks(block)
  const after = before.map((inner) => {
    const name = referencedName(inner)
    if (name === undefined || (mode.declaresDeferred && context.isDeferred(name))) return inner
    report('reference-to-text', name)
    return text(foundText([name], context))
  })
  return isSameList(before, after) ? block : { ...block, content: after }
}

/** Only a request with the same native search may contain its calls and results. */
function resolveNativeSearch(
  block: Block,
  siblings: readonly Block[],
  context: ReconcileContext,
  report: Report,
): readonly Block[] {
  const isResult = block.type === 'tool_search_tool_result'
  const id = isResult ? block.tool_use_id : block.id
  const search = siblings.find(({ type, id: own }) => type === 'server_tool_use' && own === id)
  const isAnswered = siblings.some(
    ({ type, tool_use_id }) => type === 'tool_search_tool_result' && tool_use_id === id,
  )
  const isAvailable =
    context.hasProviderSearch && search?.name === NATIVE_SEARCH[context.mode]?.name
  const names = isResult ? foundNames(block) : []
  if (!isAvailable || !isAnswered) {
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

function isAcceptedChange(block: Block, { mode, isDeferred }: ReconcileContext): boolean {
  if (!isAddition(mode)) return false
  const { type } = (block.tool ?? {}) as Block
  if (type === 'mcp_tool_reference' || type === 'mcp_toolset_reference') return true
  if (isInlineChange(block)) return mode === 'inline-addition'
  // A tool that was added inline can be removed by name, though no request declares it.
  return mode === 'inline-addition' ? block.type === 'tool_removal' : isDeferred(changedName(block))
}

/** Appends removals of tools that the conversation defined inline and that no longer exist. */
function removeGone(
  messages: readonly AnthropicMessage[],
  { mode, definition }: ReconcileContext,
  repairs: Repair[],
): readonly AnthropicMessage[] {
  if (mode !== 'inline-addition') return messages
  const added = new Set<string>()
  for (const block of messages.flatMap(blocksOf)) {
    if (block.type === 'tool_addition' && isInlineChange(block)) added.add(changedName(block))
    else if (block.type === 'tool_removal') added.delete(changedName(block))
  }
  const gone = [...added].filter((name) => !definition(name))
  if (gone.length === 0) return messages
  for (const about of gone) repairs.push({ kind: 'tool-removed', about, at: messages.length })
  const content = gone.map((name) => ({
    type: 'tool_removal',
    tool: { type: 'tool_reference', name },
  }))
  return [...messages, { role: 'system', content }]
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
  repairs.push({ kind: 'start-added', about: 'user', at: 0 })
  return [{ role: 'user', content: OMITTED_START }, ...messages]
}
