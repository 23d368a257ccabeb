import { eventText, splitText } from '../streaming.ts'
import type { EncodedMessage } from './encode-anthropic.ts'
import type { Block } from './messages-body.ts'

interface Event {
  type: string
  [field: string]: unknown
}

/** The events of a streamed `Message`. */
export function streamAnthropic(message: EncodedMessage): string[] {
  const { content, stop_reason, usage } = message
  const started = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events: Event[] = [
    { type: 'message_start', message: started },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
      usage,
    },
    { type: 'message_stop' },
  ]
  return events.map((event) => eventText(event, event.type))
}

function blockEvents(block: Block, index: number): Event[] {
  const [started, deltas] = toDeltas(block)
  return [
    { type: 'content_block_start', index, content_block: started },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

// A search result is complete when its block starts.
function toDeltas(block: Block): [Block, Event[]] {
  if (block.type === 'text') {
    const pieces = splitText(block.text ?? '')
    return [{ ...block, text: '' }, pieces.map((text) => ({ type: 'text_delta', text }))]
  }
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    const pieces = splitText(JSON.stringify(block.input))
    const deltas = pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    return [{ ...block, input: {} }, deltas]
  }
  if (block.type === 'thinking') {
    const pieces = splitText(block.thinking ?? '')
    const deltas = pieces.map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signed = { type: 'signature_delta', signature: block.signature }
    return [{ ...block, thinking: '', signature: '' }, [...deltas, signed]]
  }
  if (block.type === 'compaction') {
    const { content } = block
    const delta = { type: 'compaction_delta', content, encrypted_content: null }
    return [{ ...block, content: null } as unknown as Block, [delta]]
  }
  return [block, []]
}
