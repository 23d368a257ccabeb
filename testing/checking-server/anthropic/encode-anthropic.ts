import { estimateTokens, ImpossibleReplyError, newId, type Reply } from '../reply.ts'
import { anthropicPrompt } from './anthropic-prompt.ts'
import { type Block, type MessagesBody, nativeSearchName } from './messages-body.ts'

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
  const { text, calls = [], search, native = [] } = reply
  const content = [
    ...(search ? searchBlocks(search.found, body) : []),
    ...(text === undefined ? [] : [{ type: 'text', text, citations: null }]),
    ...(native as readonly unknown[] as readonly Block[]),
    ...calls.map((call) => ({
      type: 'tool_use',
      id: call.id ?? newId('toolu'),
      name: call.name,
      input: call.arguments,
      caller: { type: 'direct' },
    })),
  ]
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    container: null,
    diagnostics: null,
    stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    stop_details: null,
    usage: usage(content, body),
  }
  return message
}

function searchBlocks(found: readonly string[], { tools = [] }: MessagesBody): Block[] {
  const name = tools.map((tool) => nativeSearchName(tool.type)).find(Boolean)
  if (name === undefined) {
    throw new ImpossibleReplyError("The request does not declare Anthropic's own search tool.")
  }
  const id = newId('srvtoolu')
  const words = found.join(' ')
  return [
    {
      type: 'server_tool_use',
      id,
      name,
      input: name.endsWith('regex') ? { pattern: words } : { query: words },
      caller: { type: 'direct' },
    } as Block,
    {
      type: 'tool_search_tool_result',
      tool_use_id: id,
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: found.map((tool_name) => ({ type: 'tool_reference', tool_name })),
      },
    } as Block,
  ]
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
