import { isObject } from '../../is-object.ts'
import { foundText } from '../found-text.ts'
import type { Repair, RepairContext, Repaired } from '../provider.ts'
import { LEFT_OUT } from '../repair-words.ts'
import { type AnthropicMode, anthropicModes, isAddition, OWN_SEARCH } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  type Block,
  blocksOf,
  foundNames,
  isOwnSearch,
  referredName,
  resultBlocks,
  text,
} from './blocks.ts'
import { pairResults } from './pair-results.ts'
import { changedName, isInline, isToolChange } from './tool-changes.ts'

/** Makes a history that the service accepts. What is fine as it stands stays the same object. */
export function repair<Message extends AnthropicMessage>(
  messages: readonly Message[],
  context: RepairContext,
): Repaired<Message> {
  const repairs: Repair[] = []
  const readable = messages.map((message, at) => repairBlocks(message, at, context, repairs))
  const paired = pairResults(readable, repairs)
  const ordered = orderSystem(removeGone(paired, context, repairs), repairs)
  const whole = startWithUser(ordered, repairs)
  if (repairs.length === 0) return { messages, repairs }
  return { messages: whole as Message[], repairs }
}

function repairBlocks(
  message: AnthropicMessage,
  at: number,
  context: RepairContext,
  repairs: Repair[],
): AnthropicMessage {
  const before = blocksOf(message)
  const after = before.flatMap((block) => repairBlock(block, before, at, context, repairs))
  const isSame = after.length === before.length && after.every((block, i) => block === before[i])
  return isSame ? message : { ...message, content: after }
}

function repairBlock(
  block: Block,
  siblings: readonly Block[],
  at: number,
  context: RepairContext,
  repairs: Repair[],
): readonly Block[] {
  const report = (kind: Repair['kind'], about: string) => repairs.push({ kind, about, at })
  if (isBlank(block)) {
    report('empty-dropped', 'text')
    return []
  }
  if (block.type === 'tool_use') return [mendCall(block, report)]
  if (block.type === 'tool_result') return [repairResult(withPlainId(block), context, report)]
  if (isOwnSearch(block)) return repairOwnSearch(block, siblings, context, report)
  if (isToolChange(block) && !isSendable(block, context)) {
    report('change-dropped', changedName(block))
    return []
  }
  return [block]
}

/** White space alone is refused as well, though models write it. */
function isBlank({ type, text }: Block): boolean {
  return type === 'text' && (typeof text !== 'string' || text.trim() === '')
}

type Report = (kind: Repair['kind'], about: string) => void

/** Calls of other providers' models may have ids, or arguments, that the service does not take. */
function mendCall(block: Block, report: Report): Block {
  const id = plainId(block.id)
  const input = isObject(block.input) ? block.input : {}
  if (id === block.id && input === block.input) return block
  report('call-mended', String(block.id))
  return { ...block, id, input }
}

function withPlainId(block: Block): Block {
  const id = plainId(block.tool_use_id)
  return id === block.tool_use_id ? block : { ...block, tool_use_id: id }
}

function plainId(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
}

/** References that would not resolve become text. */
function repairResult(block: Block, context: RepairContext, report: Report): Block {
  const inner = resultBlocks(block)
  const mode = anthropicModes[context.mode as AnthropicMode]
  const after = inner.flatMap((one) => {
    const name = referredName(one)
    if (name !== undefined && !(mode.declares && context.isDeferred(name))) {
      report('reference-to-text', name)
      return [text(foundText([name], context))]
    }
    if (isBlank(one)) {
      report('empty-dropped', String(block.tool_use_id))
      return []
    }
    return [one]
  })
  const isSame = after.length === inner.length && after.every((one, i) => one === inner[i])
  // an empty list is refused, while a result without content is not
  const isEmptyList = Array.isArray(block.content) && after.length === 0
  if (isEmptyList && isSame) report('empty-dropped', String(block.tool_use_id))
  if (isSame && !isEmptyList) return block
  const { content: _, ...rest } = block
  return after.length > 0 ? { ...rest, content: after } : rest
}

/** Blocks of Anthropic's own search go only to a request that has it. */
function repairOwnSearch(
  block: Block,
  siblings: readonly Block[],
  context: RepairContext,
  report: Report,
): readonly Block[] {
  const isResult = block.type === 'tool_search_tool_result'
  const id = isResult ? block.tool_use_id : block.id
  const search = siblings.find((one) => one.type === 'server_tool_use' && one.id === id)
  const isAnswered = siblings.some(
    (one) => one.type === 'tool_search_tool_result' && one.tool_use_id === id,
  )
  const isKnown = context.hasOwnSearch && search?.name === OWN_SEARCH[context.mode]?.name
  const names = isResult ? foundNames(block) : []
  if (!isKnown || !isAnswered) {
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

function isSendable(block: Block, { mode, isDeferred }: RepairContext): boolean {
  if (!isAddition(mode)) return false
  const { type } = (block.tool ?? {}) as Block
  if (type === 'mcp_tool_reference' || type === 'mcp_toolset_reference') return true
  if (isInline(block)) return mode === 'inline-addition'
  // what was added inline can be removed by its name, though no request declares it
  return mode === 'inline-addition' ? block.type === 'tool_removal' : isDeferred(changedName(block))
}

/** A system message may stand only before an assistant's turn or at the end. */
function orderSystem(messages: readonly AnthropicMessage[], repairs: Repair[]): AnthropicMessage[] {
  const ordered: AnthropicMessage[] = []
  let waiting: AnthropicMessage[] = []
  const settle = () => {
    const [first, ...others] = waiting
    if (first && others.length === 0) ordered.push(first)
    else if (first) ordered.push({ ...first, content: waiting.flatMap(blocksOf) })
    waiting = []
  }
  messages.forEach((message, at) => {
    if (message.role === 'assistant') settle()
    else if (waiting.length > 0) repairs.push({ kind: 'system-moved', about: 'system', at: at - 1 })
    if (message.role === 'system') waiting.push(message)
    else ordered.push(message)
  })
  settle()
  return ordered
}

function startWithUser(
  messages: readonly AnthropicMessage[],
  repairs: Repair[],
): readonly AnthropicMessage[] {
  if (messages.length === 0 || messages[0]!.role === 'user') return messages
  repairs.push({ kind: 'start-added', about: 'user', at: 0 })
  return [{ role: 'user', content: LEFT_OUT }, ...messages]
}

/** A tool that was defined in the conversation and is gone is taken back at its end. */
function removeGone(
  messages: readonly AnthropicMessage[],
  { mode, definition }: RepairContext,
  repairs: Repair[],
): readonly AnthropicMessage[] {
  if (mode !== 'inline-addition') return messages
  const added = new Set<string>()
  for (const block of messages.flatMap(blocksOf)) {
    if (block.type === 'tool_addition' && isInline(block)) added.add(changedName(block))
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
