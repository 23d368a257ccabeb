import { estimateTokens, ImpossibleReplyError, newId, type Reply } from '../reply.ts'
import { anthropicPrompt } from './anthropic-prompt.ts'
import { type Block, blocksOf, type MessagesBody, nativeSearchName } from './messages-body.ts'

/** The fields of a `Message` that are read here. */
export interface EncodedMessage {
  content: readonly Block[]
  stop_reason: string
  usage: { output_tokens: number }
}

/** Encodes a reply as a `Message`. */
export function encodeAnthropic(reply: Reply, body: MessagesBody): EncodedMessage {
  if (reply.clientSearch) {
    throw new ImpossibleReplyError('Anthropic has no client search. Use `calls`.')
  }
  const { thinking, text, calls = [], search, pauses = false, compaction, native = [] } = reply
  const content: Block[] = [
    ...(compaction ? [compactionBlock(compaction)] : []),
    ...(thinking === undefined ? [] : [thinkingBlock(thinking)]),
    ...(search ? searchBlocks(search.found, body, pauses) : []),
    ...(text === undefined ? [] : [{ type: 'text', text, citations: null } as Block]),
    ...(native as readonly unknown[] as readonly Block[]),
    ...calls.map(
      (call) =>
        ({
          type: 'tool_use',
          id: call.id ?? newId('toolu'),
          name: call.name,
          input: call.arguments,
          caller: { type: 'direct' },
        }) as Block,
    ),
  ]
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    container: null,
    diagnostics: null,
    stop_reason: stopReason(reply, content),
    stop_sequence: null,
    stop_details: null,
    usage: usage(content, body),
  }
  return message
}

function stopReason({ pauses, compaction }: Reply, content: readonly Block[]): string {
  if (compaction) return 'compaction'
  if (pauses) return 'pause_turn'
  return content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
}

function thinkingBlock(thinking: string): Block {
  return { type: 'thinking', thinking, signature: newId('signature') }
}

function compactionBlock({ content, toolChanges }: NonNullable<Reply['compaction']>): Block {
  return {
    type: 'compaction',
    content,
    encrypted_content: null,
    signature: newId('signature'),
    ...(toolChanges && { tool_changes: toolChanges }),
  } as Block
}

function searchBlocks(
  found: readonly string[],
  { tools = [], messages = [] }: MessagesBody,
  pauses: boolean,
): Block[] {
  const name = tools.map((tool) => nativeSearchName(tool.type)).find(Boolean)
  if (name === undefined) {
    throw new ImpossibleReplyError("The request does not declare Anthropic's own search tool.")
  }
  const last = messages.at(-1)
  const pending = last?.role === 'assistant' ? blocksOf(last.content).at(-1) : undefined
  const isContinued = pending?.type === 'server_tool_use'
  const id = isContinued ? pending.id! : newId('srvtoolu')
  const words = found.join(' ')
  const call = {
    type: 'server_tool_use',
    id,
    name,
    input: name.endsWith('regex') ? { pattern: words } : { query: words },
    caller: { type: 'direct' },
  } as Block
  const result = {
    type: 'tool_search_tool_result',
    tool_use_id: id,
    content: {
      type: 'tool_search_tool_search_result',
      tool_references: found.map((tool_name) => ({ type: 'tool_reference', tool_name })),
    },
  } as Block
  return [...(isContinued ? [] : [call]), ...(pauses ? [] : [result])]
}

function usage(content: readonly Block[], body: MessagesBody) {
  return {
    input_tokens: estimateTokens(anthropicPrompt(body)),
    output_tokens: estimateTokens([JSON.stringify(content)]),
    output_tokens_details: null,
    cache_creation: null,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    inference_geo: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  }
}
